import type { ProjectSearch, ProjectSearchInput } from "./open-memory-search.ts";

/** Opens the search of a project with its first use; later ones get the same. */
export type OpenSearch = () => Promise<ProjectSearch>;

/** Nothing of it is loaded before the first use: most of what a start waits for needs no search. */
export function deferredSearch(input: ProjectSearchInput): OpenSearch {
  let opening: Promise<ProjectSearch> | undefined;
  return () => {
    opening ??= open(input).catch((error: unknown) => {
      // The next one tries again: a home directory may be there by then.
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

async function open(input: ProjectSearchInput): Promise<ProjectSearch> {
  const { openProjectSearch } = await import("./open-memory-search.ts");
  return await openProjectSearch(input);
}
