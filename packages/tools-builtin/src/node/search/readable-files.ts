import type { ToolWorkspace } from "../tool-workspace.ts";
import { type SearchTarget, displayIn } from "./search-target.ts";
import type { SearchRequest } from "./engine/search-request.ts";
import { walkFiles } from "./walk/walk-files.ts";

/** Tells by its name below the place whether a file may be shown. */
export function createReadableTest(
  { isReadable }: ToolWorkspace,
  tool: "Grep" | "Glob",
  place: SearchTarget,
): (name: string) => boolean {
  return (name) => isReadable?.(displayIn(place, name), tool) ?? true;
}

/**
 * How many files a search passes over because they may not be shown. All of them are counted, whatever is in them: from the
 * number of those that match, a model could learn their text letter by letter.
 */
export async function countDenied(
  workspace: ToolWorkspace,
  {
    target,
    top,
    isDirectory,
    includes: isWanted,
    ignoreNameCase: ignoreCaseOfNames,
    timeoutMs: limitMs,
    signal,
  }: SearchRequest,
  isReadable: (name: string) => boolean,
): Promise<number> {
  if (workspace.isReadable === undefined || !isDirectory) return 0;
  const endMs = Date.now() + limitMs;
  const isOver = (): boolean => Date.now() > endMs || signal?.aborted === true;
  let count = 0;
  const place = { directory: target, top, ignoreCase: ignoreCaseOfNames, isOver };
  for await (const name of walkFiles(place)) {
    if (isWanted(name) && !isReadable(name)) count += 1;
  }
  return count;
}

/** Says that there are such files, where there are. */
export function deniedNote(count: number): readonly string[] {
  if (count === 0) return [];
  const files = count === 1 ? "1 file was" : `${count} files were`;
  return [`[${files} left out, because a rule denies reading ${count === 1 ? "it" : "them"}]`];
}
