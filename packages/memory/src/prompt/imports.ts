import { terminalSafeLine, type PathStyle } from "@caliban/common";
import { type CodeRegion, scanMarkdown } from "../markdown/regions.ts";

export const MAX_IMPORT_DEPTH = 5;
export const MAX_IMPORTS = 64;
export const MAX_IMPORT_BYTES: number = 64 * 1024;
export const MAX_IMPORTED_BYTES: number = 256 * 1024;

/** A text as its own words and the files it asks for, in order. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "import"; readonly source: string; readonly target: string };

export interface SplitText {
  readonly pieces: readonly Piece[];
  /** What looks like an import but stands in the middle of a line. */
  readonly midLine: readonly string[];
}

const PATH = String.raw`(?:\\ |[^\s])+`;
const IMPORT_LINE = new RegExp(
  String.raw`^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)?@(${PATH})[ \t]*$`,
);
const MID_LINE = new RegExp(String.raw`(?<![\w@\`/.])@(${PATH})`, "g");
const MOST_MID_LINE = 16;

/** Finds the lines that import a file: `@path` alone, after a list marker at most, and never in code. */
export function splitImports(text: string): SplitText {
  if (!text.includes("@")) return { pieces: [{ kind: "text", text }], midLine: [] };
  const isInCode = codeTest(scanMarkdown(text).code);
  const pieces: Piece[] = [];
  const midLine: string[] = [];
  let kept = 0;
  for (const { start, end, line } of linesOf(text)) {
    if (!line.includes("@") || isInCode(start + line.indexOf("@"))) continue;
    const target = targetOf(IMPORT_LINE.exec(line)?.[1]);
    if (target === undefined) {
      midLine.push(...midLineTargets(line));
      continue;
    }
    pieces.push({ kind: "text", text: text.slice(kept, start) });
    pieces.push({ kind: "import", source: text.slice(start, end), target });
    kept = end;
  }
  pieces.push({ kind: "text", text: text.slice(kept) });
  return { pieces, midLine: midLine.slice(0, MOST_MID_LINE) };
}

/** What stands in the prompt for an import that was not made. */
export function renderSkippedImport(reason: string, target: string): string {
  return `[@-import skipped (${reason}): ${escapeName(target)}]\n`;
}

/** Imported text in the frame that says where it came from. */
export function renderImport(path: string, body: string): string {
  const ended = body === "" || body.endsWith("\n") ? body : `${body}\n`;
  return importStartLine(path) + ended + importEndLine(path);
}

/** The line that begins the frame of an import. */
export function importStartLine(path: string): string {
  return `[imported from ${escapeName(path)}]\n`;
}

/** The line that ends the frame of an import. */
export function importEndLine(path: string): string {
  return `[end of ${escapeName(path)}]\n`;
}

/** A name is chosen by whoever made the file: it stays on its line and opens no tag. */
export function escapeName(name: string): string {
  return terminalSafeLine(name).replaceAll("<", "&lt;");
}

function targetOf(match: string | undefined): string | undefined {
  if (match === undefined) return undefined;
  const path = match.replaceAll("\\ ", " ");
  // `@mention` is a person or a package; a path has a separator, a dot or a tilde.
  return /[/\\.]/.test(path) || path.startsWith("~") ? path : undefined;
}

function midLineTargets(line: string): readonly string[] {
  return [...line.matchAll(MID_LINE)].flatMap(
    ([, path = ""]) => targetOf(withoutPunctuation(path)) ?? [],
  );
}

/** By hand: a pattern anchored at the end takes quadratic time on a row of dots. */
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

/** A test for places in rising order, which walks along the regions once. */
function codeTest(code: readonly CodeRegion[]): (at: number) => boolean {
  let index = 0;
  return (at) => {
    while ((code[index]?.end ?? Infinity) <= at) index++;
    return (code[index]?.start ?? Infinity) <= at;
  };
}

/** Directories of secrets, below the home directory or anywhere. */
const SECRET_DIRECTORIES: ReadonlySet<string> = new Set([
  ".ssh",
  ".aws",
  ".gnupg",
  ".azure",
  ".kube",
  ".docker",
  ".git",
  ".password-store",
  ".env",
  ".envs",
  "keyrings",
]);

const SECRET_FILES: readonly RegExp[] = [
  /^\.env|\.env$|^\.(?:netrc|pgpass|npmrc|pypirc|git-credentials|htpasswd|vault-token|my\.cnf)$/i,
  /credentials(?:\.[a-z.]+)?$|^access_tokens\.db$|^secrets?\.(?:ya?ml|json|toml)$/i,
  // What is written about keys is no key.
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.md$)/i,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|asc|gpg)(?:~|\.(?:bak|old|orig|save|\d+))?$/i,
];

/** Where the system shows processes and devices as files. */
const SYSTEM_DIRECTORY = /^\/(?:proc|sys|dev)\//;

/** Whether a file is of a kind that is never importable, whatever is set: keys, passwords, environment files. */
export function isSecretPath(style: PathStyle, path: string): boolean {
  const segments = path.split(style === "posix" ? "/" : /[\\/]/).map((name) => name.toLowerCase());
  const file = segments.at(-1) ?? "";
  const [above = ""] = segments.slice(-2);
  return (
    SYSTEM_DIRECTORY.test(path) ||
    SECRET_FILES.some((pattern) => pattern.test(file)) ||
    (above === "gh" && file === "hosts.yml") ||
    segments.some((segment) => SECRET_DIRECTORIES.has(segment))
  );
}

/** Whether a real path lies in one of several real directories, or is one. */
export function isWithin(style: PathStyle, path: string, directories: readonly string[]): boolean {
  const separator = style === "posix" ? "/" : "\\";
  return directories.some((directory) => {
    const base = directory.endsWith(separator) ? directory : directory + separator;
    return path === directory || path.startsWith(base);
  });
}
