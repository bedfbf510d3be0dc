import type { ProjectSearch, ProjectSearchInput } from "./open-memory-search.ts";

/** The search of a project, which is opened with its first use. */
export interface DeferredSearch {
  /** Every use gets the same. @throws MemoryError where there is no place for notes */
  readonly open: () => Promise<ProjectSearch>;
  /** Ends what it does in the background. */
  readonly stop: () => void;
}

/** Nothing of it is loaded before: what a start waits for needs no search. */
export function deferredSearch(input: ProjectSearchInput): DeferredSearch {
  let opening: Promise<ProjectSearch> | undefined;
  return {
    open: () => {
      opening ??= openSearch(input).catch((error: unknown) => {
        // The next one tries again: a home directory may be there by then.
        opening = undefined;
        throw error;
      });
      return opening;
    },
    stop: () => void opening?.then(({ cache }) => cache.stop()).catch(() => undefined),
  };
}

async function openSearch(input: ProjectSearchInput): Promise<ProjectSearch> {
  const { openProjectSearch } = await import("./open-memory-search.ts");
  return await openProjectSearch(input);
}
