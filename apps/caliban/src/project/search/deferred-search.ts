import type { RecalledTopic } from "@caliban/memory";
import type { RecallTopicsInput } from "@caliban/memory/node";
import type { ProjectSearch, ProjectSearchInput } from "./open-search.ts";

/** The search of a project, which is opened with its first use. */
export interface DeferredSearch {
  /** Every use gets the same. @throws MemoryError where there is no place for notes */
  readonly open: () => Promise<ProjectSearch>;
  /** The topics that a message speaks of. It opens nothing, and uses what is open. @throws MemoryError as above */
  readonly recall: (
    said: Pick<RecallTopicsInput, "message" | "isKnown">,
  ) => Promise<readonly RecalledTopic[]>;
  /** Brings everything up to date in a moment, for the next message. What fails is said by the next search. */
  readonly prepare: () => void;
  /** Ends what it does in the background. */
  readonly stop: () => void;
}

/** A run that ends with its only answer is over by then, and there is no next message. */
const PREPARE_MS = 250;

/** Nothing of it is loaded before: what a start waits for needs no search. */
export function deferredSearch(input: ProjectSearchInput): DeferredSearch {
  let opening: Promise<ProjectSearch> | undefined;
  let opened: ProjectSearch | undefined;
  let timer: NodeJS.Timeout | undefined;
  const openOnce = async (): Promise<ProjectSearch> => {
    try {
      opened = await openSearch(input);
      return opened;
    } catch (error) {
      // The next one tries again: a home directory may be there by then.
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
    recall: async (said) => {
      const { recallProjectTopics: recallOfProject } = await import("./recall-topics.ts");
      return await recallOfProject({ ...input, ...said, index: opened?.cache.lastKnown(0) });
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

async function openSearch(input: ProjectSearchInput): Promise<ProjectSearch> {
  const { openProjectSearch } = await import("./open-search.ts");
  return await openProjectSearch(input);
}
