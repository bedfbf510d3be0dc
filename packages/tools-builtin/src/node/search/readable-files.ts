import type { ToolWorkspace } from "../tool-workspace.ts";
import type { SearchRequest } from "./engine/search-request.ts";
import { displayIn, type SearchTarget } from "./search-target.ts";
import { walkFiles } from "./walk/walk-files.ts";

/** Returns a test that tells whether a file may be shown, by its name below the target. */
export function createReadableTest(
  { isReadable }: ToolWorkspace,
  tool: "Grep" | "Glob",
  target: SearchTarget,
): (name: string) => boolean {
  return (name) => isReadable?.(displayIn(target, name), tool) ?? true;
}

/**
 * Counts the files that a search skips because a rule denies reading them. Counts all of them, whatever they contain: from
 * the number of matching files, a model could reconstruct their text letter by letter.
 */
export async function countDenied(
  workspace: ToolWorkspace,
  { target, top, isDirectory, includes, ignoreNameCase, timeoutMs, signal }: SearchRequest,
  isReadable: (name: string) => boolean,
): Promise<number> {
  if (workspace.isReadable === undefined || !isDirectory) return 0;
  const deadlineMs = Date.now() + timeoutMs;
  const isOver = (): boolean => Date.now() > deadlineMs || signal?.aborted === true;
  let count = 0;
  const walk = { directory: target, top, ignoreCase: ignoreNameCase, isOver };
  for await (const name of walkFiles(walk)) {
    if (includes(name) && !isReadable(name)) count += 1;
  }
  return count;
}

/** Reports denied files, if there are any. */
export function deniedNote(count: number): readonly string[] {
  if (count === 0) return [];
  const [files, them] = count === 1 ? ["1 file was", "it"] : [`${count} files were`, "them"];
  return [`[${files} skipped, because a rule denies reading ${them}]`];
}
