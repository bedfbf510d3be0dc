import type { RecalledTopic } from "@caliban/memory";
import type { RecallTopicsInput } from "@caliban/memory/node";
import type { ProjectSearch, ProjectSearchInput } from "./open-search.ts";

/** The search of a project, which is opened when it is first used. */
export interface DeferredSearch {
  /** Always returns the same search. @throws MemoryError when there is no directory for topics */
  readonly open: () => Promise<ProjectSearch>;
  /** Finds the topics that a message refers to. Uses the search if it is open. @throws MemoryError like `open` */
  readonly recall: (
    message: Pick<RecallTopicsInput, "message" | "isKnown">,
  ) => Promise<readonly RecalledTopic[]>;
  /** Updates the index shortly, for the next message. The next search reports what failed. */
  readonly prepare: () => void;
  /** Stops work in the background. */
  readonly stop: () => void;
}

/** A run that ends with its only answer is over by then, and has no next message. */
const PREPARE_MS = 250;

/** Loads no search code before the first use, because a start does not need it. */
export function deferredSearch(input: ProjectSearchInput): DeferredSearch {
  let opening: Promise<ProjectSearch> | undefined;
  let opened: ProjectSearch | undefined;
  let timer: NodeJS.Timeout | undefined;
  const openOnce = async (): Promise<ProjectSearch> => {
    try {
      const { openProjectSearch } = await import("./open-search.ts");
      opened = await openProjectSearch(input);
      return opened;
    } catch (error) {
      // Tries again next time: the home directory may exist then.
      opening = undefined;
      throw error;
    }
  };
  const open = (): Promise<ProjectSearch> => (opening ??= openOnce());
  const refresh = (): void => {
    open()
      .then(({ cache }) => cache.refresh())
      .catch(() => undefined);
  };
  return {
    open,
    recall: async (message) => {
      const { recallProjectTopics } = await import("./recall-topics.ts");
      const index = opened?.cache.lastKnown(0);
      return await recallProjectTopics({ project: input.project, ...message, index });
    },
    prepare: () => {
      clearTimeout(timer);
      timer = setTimeout(refresh, PREPARE_MS).unref();
    },
    stop: () => {
      clearTimeout(timer);
      opening?.then(({ cache }) => cache.stop()).catch(() => undefined);
    },
  };
}
