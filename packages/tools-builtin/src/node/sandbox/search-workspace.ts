import { statIfExists } from "@caliban/common/node";
import { isWithin } from "../../sandbox/sandbox-policy.ts";
import type { DirectoryLister } from "../protection/directory-lister.ts";
import type { ProtectedRealPath } from "../protection/protected-paths.ts";
import { type GitAccess, gitAccess } from "./git-access.ts";
import { makeSearchable } from "./make-searchable.ts";
import type { FindProtectedEntries, ProtectedEntries } from "./protected-entries.ts";

/** A workspace whose protected files are compared before and after a command. */
export interface SearchedWorkspace {
  /** Real paths. */
  readonly roots: readonly string[];
  readonly directories: DirectoryLister;
  readonly protectedPaths: () => readonly ProtectedRealPath[];
  readonly findProtected: FindProtectedEntries;
  readonly maxDirectories: number;
}

/** What a search before a command found, and what the search after it needs. */
export interface Search {
  readonly git: readonly GitAccess[];
  readonly before: ProtectedEntries;
  readonly controls: readonly string[];
  readonly rebaseSteps: readonly string[];
  readonly existing: readonly string[];
}

/** Searches a workspace before a command. */
export function searchBefore({
  roots,
  directories,
  protectedPaths,
  findProtected,
  maxDirectories,
}: SearchedWorkspace): Search {
  const git = roots.map(gitAccess);
  directories.refresh();
  const known = protectedPaths()
    .map(({ path }) => path)
    .filter((path) => roots.some((root) => path !== root && isWithin(root, path)));
  const existing = known.filter((path) => statIfExists(path) !== undefined);
  // A file that a link or the Git configuration names can be missing, and counts once it is created.
  const missing = known.filter((path) => !existing.includes(path));
  const controls = [...git.flatMap((each) => each.controls), ...missing];
  const rebaseSteps = git.flatMap((each) => each.rebaseSteps);
  const before = findProtected({
    roots,
    controls,
    rebaseSteps,
    maxDirectories,
  });
  return { git, before, controls, rebaseSteps, existing };
}

/** Searches everything, however much a command has created. What it made unsearchable is made searchable first. */
export function searchAfter(
  { roots, directories, findProtected }: SearchedWorkspace,
  { controls, rebaseSteps }: Search,
): { readonly after: ProtectedEntries; readonly renamed: readonly string[] } {
  const search = { roots, controls, rebaseSteps, maxDirectories: Number.POSITIVE_INFINITY };
  directories.refresh();
  const after = findProtected(search);
  if (after.unsearchable.length === 0) return { after, renamed: [] };
  const renamed = after.unsearchable.flatMap(makeSearchable);
  directories.refresh();
  return { after: findProtected(search), renamed };
}
