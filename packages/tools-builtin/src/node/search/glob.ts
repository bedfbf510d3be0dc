import { isAbsolute, join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { lstatIfExists } from "@caliban/common/node";
import { FileToolError } from "../file-tool-error.ts";
import type { FileToolAction } from "../file-tool.ts";
import type { FileInputs } from "../schemas/file-input.ts";
import { createReadableTest, deniedNote } from "./readable-files.ts";
import { displayIn, resolveSearchTarget, type SearchTarget } from "./search-target.ts";
import { skippedRulesNote } from "./walk/ignore-files.ts";
import { createNameMatcher } from "./walk/name-matcher.ts";
import { walkFiles } from "./walk/walk-files.ts";

const TIMEOUT_MS = 20_000;
const MAX_SHOWN = 100;

/** Finds files by a pattern, newest first. */
export const glob: FileToolAction<"Glob"> = async (input, state, { signal }) => {
  const { pattern, path } = await splitPattern(input);
  const target = resolveSearchTarget(state, path);
  if (!target.isDirectory) throw notADirectoryError(target);
  const matches = await createNameMatcher(pattern, { isAnywhere: false });
  const deadlineMs = Date.now() + (state.workspace.searchTimeoutMs ?? TIMEOUT_MS);
  const isLate = (): boolean => Date.now() > deadlineMs;
  const isOver = (): boolean => isLate() || signal?.aborted === true;
  const { path: directory, top, ignoreNameCase: ignoreCase } = target;
  const isReadable = createReadableTest(state.workspace, "Glob", target);
  const names: string[] = [];
  let denied = 0;
  let skippedRules = 0;
  const onSkippedRules = (lines: number): void => void (skippedRules += lines);
  for await (const name of walkFiles({ directory, top, ignoreCase, isOver, onSkippedRules })) {
    if (!matches(name)) continue;
    if (isReadable?.(name) === false) denied += 1;
    else names.push(name);
  }
  if (signal?.aborted === true) throw new FileToolError("CANCELLED", "Glob was interrupted.");
  const paths = newestFirst(names, directory).map((name) => displayIn(target, name));
  const notes = [
    ...limitNotes(paths.length, isLate()),
    ...deniedNote(denied),
    ...skippedRulesNote(skippedRules),
  ];
  const where = target.display === "." ? "" : ` in ${terminalSafeLine(target.display)}`;
  const list = paths.slice(0, MAX_SHOWN).map(terminalSafeLine).join("\n");
  const text = [list === "" ? `No file${where} matches ${pattern}.` : list, ...notes].join("\n\n");
  return { text, data: { paths: paths.slice(0, MAX_SHOWN), total: paths.length } };
};

/** A pattern may start with the directory to search. `..` and `~` are allowed in it, as in a path. */
async function splitPattern({
  pattern,
  path = ".",
}: FileInputs["Glob"]): Promise<{ readonly pattern: string; readonly path: string }> {
  if (!isAbsolute(pattern) && !/^~\/|(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return { pattern, path };
  const { default: picomatch } = await import("picomatch");
  const { base, glob: rest } = picomatch.scan(pattern);
  const directory = isAbsolute(base) || base.startsWith("~") ? base : join(path, base);
  return { pattern: rest === "" ? "**" : rest, path: directory };
}

function notADirectoryError({ display }: SearchTarget): FileToolError {
  const message = `${terminalSafeLine(display)} is a file. Use Read to show it.`;
  return new FileToolError("NOT_A_FILE", message);
}

function newestFirst(names: readonly string[], directory: string): readonly string[] {
  return (
    names
      // A file may have been removed in the meantime.
      .map((name) => ({ name, modifiedMs: lstatIfExists(join(directory, name))?.mtimeMs ?? 0 }))
      .toSorted((a, b) => b.modifiedMs - a.modifiedMs || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name)
  );
}

function limitNotes(count: number, isLate: boolean): readonly string[] {
  return [
    ...(count > MAX_SHOWN ? [`[${count - MAX_SHOWN} more files match; narrow the pattern]`] : []),
    ...(isLate ? ["[stopped at the time limit; there may be more files]"] : []),
  ];
}
