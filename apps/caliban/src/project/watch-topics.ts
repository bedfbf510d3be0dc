import type { TopicBackend } from "@caliban/memory";
import { watchDirectories, type WatchInput } from "@caliban/mcp/node";
import type { ProjectTopics } from "./topics.ts";

interface WatchTopicsInput extends Pick<WatchInput, "onChange" | "onPolling"> {
  readonly topics: Pick<ProjectTopics, "directory" | "database">;
  /** Directories to watch in addition. */
  readonly directories: readonly string[];
}

/** Reports when topics may have changed, in files or in a database. Returns how to stop. */
export function watchTopics({ topics, directories, ...events }: WatchTopicsInput): () => void {
  const { directory, database } = topics;
  const files = directory === undefined ? directories : [directory, ...directories];
  const stops = [
    watchDirectories({ directories: files, ...events }),
    ...(database === undefined ? [] : [watchDatabase(database, events)]),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const RETRY_MS = 5_000;

/** Tries again until the server can be reached. A connection that is lost later is the backend's business. */
function watchDatabase(
  { watch }: Pick<TopicBackend, "watch">,
  { onChange, onPolling }: Pick<WatchInput, "onChange" | "onPolling">,
): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let stopWatching: (() => Promise<void>) | undefined;
  const start = async (attempt: number): Promise<void> => {
    try {
      const stop = await watch?.(onChange);
      if (isStopped) return await stop?.();
      stopWatching = stop;
      // Changes may have been missed.
      if (attempt > 0) onChange();
    } catch (error) {
      if (isStopped) return;
      if (attempt === 0) onPolling(error instanceof Error ? error.message : String(error));
      timer = setTimeout(() => void start(attempt + 1), RETRY_MS).unref();
    }
  };
  void start(0);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    void stopWatching?.();
  };
}
