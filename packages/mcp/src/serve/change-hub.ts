import { MemoryError } from "@caliban/memory";
import { listResources } from "./resource-list.ts";
import type { ServedProject } from "../../../../apps/caliban/src/commands/mcp/served-project.ts";
import { watchDirectories } from "../node/serve/watch-directories.ts";

/** One who hears of changes. */
interface ChangeListener {
  /** There are resources that were not there, or some are gone. */
  readonly onListChange: () => Promise<void>;
  /** Something may have changed. */
  readonly onChange: () => Promise<void>;
  /** Whether it waits for a change of something that no watched directory tells of, such as instruction files. */
  readonly needsLooking: () => boolean;
}

/** Tells all clients of changes on the disk, whoever made them. */
export interface ChangeHub {
  readonly add: (listener: ChangeListener) => () => void;
  readonly stop: () => void;
}

export interface ChangeHubInput {
  readonly project: ServedProject;
  /** Says one line to the person. */
  readonly say: (line: string) => void;
}

const LOOK_EVERY_MS = 2_000;

/** Watches only while somebody listens. */
export function createChangeHub({ project, say }: ChangeHubInput): ChangeHub {
  const listeners = new Set<ChangeListener>();
  let unwatch: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let known: Promise<string> | undefined;
  let looking: Promise<void> | undefined;
  let isDirty = false;

  const tell = async (): Promise<void> => {
    const before = await known;
    known = listSign(project);
    const isListChanged = (await known) !== before;
    for (const { onListChange, onChange } of listeners) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is soon enough
      if (isListChanged) await onListChange();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await onChange();
    }
  };
  const look = (): void => {
    isDirty = true;
    looking ??= (async () => {
      while (isDirty) {
        isDirty = false;
        // oxlint-disable-next-line no-await-in-loop -- what changed meanwhile is looked at afterwards
        await tell();
      }
    })()
      .catch((error: unknown) => say(`changes cannot be told: ${String(error)}`))
      .finally(() => {
        looking = undefined;
      });
  };
  const stop = (): void => {
    unwatch?.();
    clearInterval(timer);
    [unwatch, timer, known] = [undefined, undefined, undefined];
    listeners.clear();
  };
  return {
    add: (listener) => {
      listeners.add(listener);
      known ??= listSign(project);
      unwatch ??= watchDirectories({
        directories: project.watched,
        onChange: look,
        onPolling: (reason) =>
          say(`the notes cannot be watched (${reason}), so they are looked at every 2 seconds`),
      });
      timer ??= setInterval(() => {
        if ([...listeners].some(({ needsLooking }) => needsLooking())) look();
      }, LOOK_EVERY_MS).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    stop,
  };
}

/** A list that cannot be read is one as well, and the next one may be another. */
async function listSign(project: ServedProject): Promise<string> {
  try {
    const resources = await listResources(project);
    return resources.map(({ uri }) => uri).join("\n");
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return error.code;
  }
}
