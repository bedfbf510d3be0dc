import type { MemoryPageData } from "./data.ts";

/** A project in the list of all projects. */
export interface PageProject {
  /** Short, and no part of a path: it is in addresses and in exported files. */
  readonly id: string;
  /** The path of its workspace, as the user knows it. */
  readonly path: string;
  /** Whether the page was started in it. */
  readonly isCurrent: boolean;
  readonly topics: number;
  readonly proposals: number;
  /** When one of its topics changed last; `undefined` without topics. */
  readonly changedMs: number | undefined;
  /** Why it cannot be shown; `undefined` if it can. */
  readonly problem: string | undefined;
}

/** The projects that the page shows: one, or all of this user. */
export interface PageProjects {
  readonly isAll: boolean;
  /** The current one first, then the one that changed last. Only the current one unless all are shown. */
  readonly list: () => Promise<readonly PageProject[]>;
  /** The memory of a project; of the current one without an id. `undefined` if there is no such project. */
  readonly open: (id: string | undefined) => Promise<MemoryPageData | undefined>;
}
