/** A rule file: its text, and the globs of the files it is for when it is not for all. */
export type Rule =
  | { readonly kind: "rule"; readonly body: string; readonly paths: readonly string[] | undefined }
  | { readonly kind: "broken"; readonly problem: string };

/** A header that needs a whole YAML parser, which is loaded only then. */
export interface UnreadHeader {
  readonly kind: "yaml";
  readonly header: string;
  readonly body: string;
}

export const MAX_RULE_FILES = 1_000;
export const MAX_RULE_BYTES: number = 4 * 1024 * 1024;
const MAX_HEADER_CHARACTERS = 16_384;
const MAX_PLAIN_LINE = 500;
const MAX_GLOB_CHARACTERS = 256;
const MAX_GLOBSTARS = 4;
const MAX_STARS_A_SEGMENT = 4;
const MAX_GLOBS = 64;

/** Reads a rule. The plain headers that people write are read by hand: a thousand of them stand on the way to a prompt. */
export function parseRule(text: string): Rule | UnreadHeader {
  const [first = ""] = text.split("\n", 1);
  if (!first.startsWith("---") || /^-{4,}$/.test(first)) return whole(text);
  if (first.trimEnd() !== "---") {
    return broken(`The header begins with ${JSON.stringify(first)}; only a plain --- is read.`);
  }
  const start = first.length + 1;
  const close = /^---[ \t]*$/m.exec(text.slice(start));
  if (close === null) return broken("The header that begins with --- never ends.");
  const header = text.slice(start, start + close.index);
  if (header.length > MAX_HEADER_CHARACTERS) {
    return broken(`The header has more than ${MAX_HEADER_CHARACTERS} characters.`);
  }
  const body = text.slice(start + close.index + close[0].length).replace(/^\n/, "");
  if (!header.split("\n").every(isPlainLine)) return { kind: "yaml", header, body };
  return ruleOf(plainPaths(header), body);
}

/** A long line is left to the parser: the pattern for plain ones is not meant for it. */
function isPlainLine(line: string): boolean {
  return line.length <= MAX_PLAIN_LINE && PLAIN_LINE.test(line);
}

/** Makes a rule of what a YAML parser found under `paths`. */
export function ruleOf(paths: unknown, body: string): Rule {
  if (paths === undefined || paths === null) return { kind: "rule", body, paths: undefined };
  const globs = typeof paths === "string" ? splitGlobs(paths) : paths;
  if (!Array.isArray(globs) || !globs.every((glob) => typeof glob === "string")) {
    return broken(`paths must be a list of globs or a text, not ${JSON.stringify(paths)}.`);
  }
  if (globs.length === 0) return broken("paths is empty; name a glob or take it out.");
  const bad = globs.find((glob) => !isSafeGlob(glob));
  if (bad !== undefined || globs.length > MAX_GLOBS) return broken(globProblem(bad));
  return { kind: "rule", body, paths: globs };
}

export function broken(problem: string): Rule {
  return { kind: "broken", problem };
}

function whole(body: string): Rule {
  return { kind: "rule", body, paths: undefined };
}

// A comment, an item, or a key with nothing, a quoted text, or a text without anything that YAML could read otherwise.
const PLAIN_TEXT = String.raw`(?:"[^"\\]*"|'[^']*'|[A-Za-z./*][^:#\[\]{}&!|>'"%@\x60]*(?:\{[^:#\[\]{}]*\}[^:#\[\]{}]*)*)`;
const PLAIN_LINE = new RegExp(
  String.raw`^(?:[ \t]*(?:#.*)?|[ \t]*-[ \t]+${PLAIN_TEXT}|[A-Za-z_][\w-]*:(?:[ \t]+${PLAIN_TEXT})?[ \t]*)$`,
);

/** Long, much-starred or extended globs could take for ever to match. */
export function isSafeGlob(glob: string): boolean {
  return (
    glob !== "" &&
    glob.length <= MAX_GLOB_CHARACTERS &&
    !/[()]/.test(glob) &&
    glob.split("**").length - 1 <= MAX_GLOBSTARS &&
    starsInSegments(glob).every((stars) => stars <= MAX_STARS_A_SEGMENT) &&
    // Each such segment can match in thousands of ways, and two of them in their product.
    starsInSegments(glob).filter((stars) => stars > 1).length <= 1 &&
    braceAlternatives(glob) <= MAX_GLOBS
  );
}

/** The value of `paths` in a plain header, as a YAML parser would have it. */
function plainPaths(header: string): unknown {
  const lines = header.split("\n");
  const at = lines.findIndex((line) => line.startsWith("paths:"));
  if (at === -1) return undefined;
  const inline = (lines[at] ?? "").slice("paths:".length).trim();
  if (inline !== "") return PLAIN_WORDS.get(inline.toLowerCase()) ?? unquoted(inline);
  const items: string[] = [];
  for (const line of lines.slice(at + 1)) {
    if (/^[ \t]*(?:#.*)?$/.test(line)) continue;
    const item = /^[ \t]*-[ \t]+(.+)$/.exec(line)?.[1];
    if (item === undefined) break;
    items.push(unquoted(item.trim()));
  }
  return items.length === 0 ? undefined : items;
}

/** Words that mean no text in YAML. */
const PLAIN_WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", undefined],
]);

/** Commas part globs, but not inside braces. */
function splitGlobs(text: string): readonly string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth++;
    if (character === "}") depth = Math.max(0, depth - 1);
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => unquoted(part.trim())).filter((part) => part !== "");
}

function unquoted(text: string): string {
  return /^(["'])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
}

/** The stars of each segment; `**` alone is none, because it has no other star to share with. */
function starsInSegments(glob: string): readonly number[] {
  return glob.split("/").map((segment) => (segment === "**" ? 0 : segment.split("*").length - 1));
}

/** How many globs the braces of one stand for. */
function braceAlternatives(glob: string): number {
  return [...glob.matchAll(/\{([^{}]*)\}/g)].reduce(
    (product, [, inside = ""]) => product * inside.split(",").length,
    1,
  );
}

function globProblem(glob: string | undefined): string {
  if (glob === undefined) return `paths has more than ${MAX_GLOBS} globs.`;
  return `The glob ${JSON.stringify(glob.slice(0, 60))} is not read: at most ${MAX_GLOB_CHARACTERS} characters, ${MAX_STARS_A_SEGMENT} stars a segment and ${MAX_GLOBS} alternatives, and no extended globs.`;
}
