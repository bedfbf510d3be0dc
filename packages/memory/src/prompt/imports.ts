import { type PathStyle, terminalSafeLine } from "@caliban/common";
import { type CodeRegion, scanMarkdown } from "../markdown/regions.ts";

export const MAX_IMPORT_DEPTH = 5;
export const MAX_IMPORTS = 64;
export const MAX_IMPORT_BYTES: number = 64 * 1024;
export const MAX_IMPORTED_BYTES: number = 256 * 1024;

/** A text split into its own parts and the lines that import a file, in order. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "import"; readonly source: string; readonly target: string };

export interface SplitText {
  readonly pieces: readonly Piece[];
  /** Targets that look like imports but are in the middle of a line. */
  readonly midLine: readonly string[];
}

const PATH = String.raw`(?:\\ |[^\s])+`;
const IMPORT_LINE = new RegExp(
  String.raw`^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)?@(${PATH})[ \t]*$`,
);
const MID_LINE = new RegExp(String.raw`(?<![\w@\`/.])@(${PATH})`, "g");
const MAX_MID_LINE = 16;

/** Finds the lines that import a file: `@path` alone or after a list marker, and not in code. */
export function splitImports(text: string): SplitText {
  if (!text.includes("@")) return { pieces: [{ kind: "text", text }], midLine: [] };
  const isInCode = createCodeTest(scanMarkdown(text).code);
  const pieces: Piece[] = [];
  const midLine: string[] = [];
  let kept = 0;
  for (const { start, end, line } of linesOf(text)) {
    if (!line.includes("@") || isInCode(start + line.indexOf("@"))) continue;
    const target = parseTarget(IMPORT_LINE.exec(line)?.[1]);
    if (target === undefined) {
      midLine.push(...midLineTargets(line));
      continue;
    }
    pieces.push({ kind: "text", text: text.slice(kept, start) });
    pieces.push({ kind: "import", source: text.slice(start, end), target });
    kept = end;
  }
  pieces.push({ kind: "text", text: text.slice(kept) });
  return { pieces, midLine: midLine.slice(0, MAX_MID_LINE) };
}

/** The line that replaces an import that was skipped. */
export function renderSkippedImport(reason: string, target: string): string {
  return `[@-import skipped (${reason}): ${escapeName(target)}]\n`;
}

/** Puts imported text into a frame that names its path. */
export function renderImport(path: string, body: string): string {
  const ended = body === "" || body.endsWith("\n") ? body : `${body}\n`;
  return importStartLine(path) + ended + importEndLine(path);
}

/** The first line of the frame of an import. */
export function importStartLine(path: string): string {
  return `[imported from ${escapeName(path)}]\n`;
}

/** The last line of the frame of an import. */
export function importEndLine(path: string): string {
  return `[end of ${escapeName(path)}]\n`;
}

/** Escapes a name, which the author of a file chose, so that it stays on its line and cannot open a tag. */
export function escapeName(name: string): string {
  return terminalSafeLine(name).replaceAll("<", "&lt;");
}

function parseTarget(match: string | undefined): string | undefined {
  if (match === undefined) return undefined;
  const path = match.replaceAll("\\ ", " ");
  // `@mention` is a user or a package; a path has a separator, a dot or a tilde.
  return /[/\\.]/.test(path) || path.startsWith("~") ? path : undefined;
}

function midLineTargets(line: string): readonly string[] {
  return [...line.matchAll(MID_LINE)].flatMap(
    ([, path = ""]) => parseTarget(withoutPunctuation(path)) ?? [],
  );
}

/** By hand, because a pattern anchored at the end takes quadratic time on a row of dots. */
function withoutPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && "),.;:!?".includes(path[end - 1] ?? " ")) end--;
  return path.slice(0, end);
}

function* linesOf(
  text: string,
): Generator<{ readonly start: number; readonly end: number; readonly line: string }> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    yield { start, end, line: text.slice(start, newline === -1 ? end : newline) };
    start = end;
  }
}

/** Returns a test for offsets in ascending order, which walks through the regions once. */
function createCodeTest(code: readonly CodeRegion[]): (at: number) => boolean {
  let index = 0;
  return (at) => {
    while ((code[index]?.end ?? Infinity) <= at) index++;
    return (code[index]?.start ?? Infinity) <= at;
  };
}

/** Whether a real path is in one of several real directories, or is one of them. */
export function isWithin(style: PathStyle, path: string, directories: readonly string[]): boolean {
  const separator = style === "posix" ? "/" : "\\";
  return directories.some((directory) => {
    const base = directory.endsWith(separator) ? directory : directory + separator;
    return path === directory || path.startsWith(base);
  });
}
