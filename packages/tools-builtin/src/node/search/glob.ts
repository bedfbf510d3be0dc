import { lstatSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import type { FileInputs } from "../schemas/file-input.ts";
import type { FileToolAction } from "../file-tool.ts";
import { FileToolError } from "../file-tool-error.ts";
import { skippedRulesNote } from "./walk/ignore-files.ts";
import { createNameMatcher } from "./walk/name-matcher.ts";
import { deniedNote, createReadableTest } from "./readable-files.ts";
import { type SearchTarget, resolveSearchTarget, displayIn } from "./search-target.ts";
import { walkFiles } from "./walk/walk-files.ts";

const LIMIT_MS = 20_000;
const MOST_SHOWN = 100;

/** Files by pattern, the newest first. */
export const glob: FileToolAction<"Glob"> = async (input, session, { signal }) => {
  const { pattern, path } = await splitPattern(input);
  const place = resolveSearchTarget(session, path);
  if (!place.isDirectory) throw notADirectory(place);
  const isWanted = await createNameMatcher(pattern, { isAnywhere: false });
  const endMs = Date.now() + (session.workspace.searchTimeoutMs ?? LIMIT_MS);
  const isLate = (): boolean => Date.now() > endMs;
  const isOver = (): boolean => isLate() || signal?.aborted === true;
  const { path: directory, top, ignoreNameCase: ignoreCase } = place;
  const isReadable = createReadableTest(session.workspace, "Glob", place);
  const names: string[] = [];
  let leftOut = 0;
  let unfollowed = 0;
  const onUnfollowed = (lines: number): void => void (unfollowed += lines);
  for await (const name of walkFiles({
    directory,
    top,
    ignoreCase,
    isOver,
    onSkippedRules: onUnfollowed,
  })) {
    if (!isWanted(name)) continue;
    if (isReadable(name)) names.push(name);
    else leftOut += 1;
  }
  if (signal?.aborted === true) throw new FileToolError("CANCELLED", "Glob was interrupted.");
  const paths = newestFirst(names, directory).map((name) => displayIn(place, name));
  const notes = [
    ...notesOf(paths.length, isLate()),
    ...deniedNote(leftOut),
    ...skippedRulesNote(unfollowed),
  ];
  const found =
    paths.slice(0, MOST_SHOWN).map(terminalSafeLine).join("\n") ||
    `No file${place.display === "." ? "" : ` in ${terminalSafeLine(place.display)}`} fits ${pattern}.`;
  const data = { paths: paths.slice(0, MOST_SHOWN), total: paths.length };
  return { text: [found, ...notes].join("\n\n"), data };
};

/** A pattern may begin with the directory to search; `..` and `~` in it are as good as in a path. */
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

function notADirectory({ display: shown }: SearchTarget): FileToolError {
  return new FileToolError("NOT_A_FILE", `${terminalSafeLine(shown)} is a file. Read shows it.`);
}

function newestFirst(names: readonly string[], directory: string): readonly string[] {
  return names
    .map((name) => ({ name, changedMs: changedMs(join(directory, name)) }))
    .toSorted((a, b) => b.changedMs - a.changedMs || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

function changedMs(path: string): number {
  try {
    return lstatSync(path).mtimeMs;
  } catch (error) {
    // It went away in the meantime.
    if (errorCode(error) === undefined) throw error;
    return 0;
  }
}

function notesOf(count: number, isLate: boolean): readonly string[] {
  return [
    ...(count > MOST_SHOWN ? [`[there are ${count - MOST_SHOWN} more; narrow the pattern]`] : []),
    ...(isLate ? ["[stopped at the time limit: there may be more]"] : []),
  ];
}
