import { createFileTest, type FileSearchTool } from "../../memory-access/readable-files.ts";
import { join } from "node:path";
import { createMemoryFileTest, mayHoldMemory } from "../memory-files.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import type { SearchRequest } from "./engine/search-request.ts";
import { displayIn, type SearchTarget } from "./search-target.ts";
import { walkFiles } from "./walk/walk-files.ts";

/** Tells whether a file may be shown, by its name below the target. */
export type ReadableTest = (name: string) => boolean;

/** Returns `undefined` if all files may be shown. */
export function createReadableTest(
  workspace: ToolWorkspace,
  tool: FileSearchTool,
  target: SearchTarget,
): ReadableTest | undefined {
  const test = createFileTest(workspace.policy);
  const memoryTest = mayHoldMemory(workspace, target.path)
    ? createMemoryFileTest(workspace)
    : undefined;
  if (test === undefined && memoryTest === undefined) return undefined;
  return (name) =>
    (test === undefined || test(displayIn(target, name), tool)) &&
    (memoryTest?.(join(target.path, name)) ?? "allow") === "allow";
}

/**
 * Counts the files that a search skips because a rule denies reading them. Counts all of them, whatever they contain: from
 * the number of matching files, a model could reconstruct their text letter by letter.
 */
export async function countDenied(
  { target, top, isDirectory, includes, ignoreNameCase, timeoutMs, signal }: SearchRequest,
  isReadable: ReadableTest | undefined,
): Promise<number> {
  if (isReadable === undefined || !isDirectory) return 0;
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
