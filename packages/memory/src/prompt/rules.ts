import { isBoundedPattern, isRecord } from "@caliban/common";
import {
  type HeaderSyntax,
  parsePlainHeader,
  type PlainHeader,
} from "@caliban/common/front-matter";

/** A rule file: its text, and the globs of the files it applies to; `undefined` when it always applies. */
export type Rule =
  | { readonly kind: "rule"; readonly body: string; readonly paths: readonly string[] | undefined }
  | { readonly kind: "broken"; readonly message: string };

export const MAX_RULE_FILES = 1_000;
export const MAX_RULE_BYTES: number = 4 * 1024 * 1024;
const MAX_HEADER_CHARACTERS = 16_384;
const MAX_PLAIN_LINE = 500;
const MAX_GLOBS = 64;

/**
 * Parses a rule file. Plain headers are read without a YAML parser, because up to a thousand rules are read before the
 * first prompt and the parser is slow to load.
 */
export async function parseRule(text: string): Promise<Rule> {
  const [first = ""] = text.split("\n", 1);
  if (!first.startsWith("---") || /^-{4,}$/.test(first)) return whole(text);
  if (first.trimEnd() !== "---") {
    return broken(`The header starts with ${JSON.stringify(first)} instead of a plain ---.`);
  }
  const start = first.length + 1;
  const close = /^---[ \t]*$/m.exec(text.slice(start));
  if (close === null) return broken("The header is not closed with ---.");
  const header = text.slice(start, start + close.index);
  if (header.length > MAX_HEADER_CHARACTERS) {
    return broken(`The header is longer than ${MAX_HEADER_CHARACTERS} characters.`);
  }
  const body = text.slice(start + close.index + close[0].length).replace(/^\n/, "");
  const values = readPlainHeader(header);
  return values === undefined
    ? await parseYamlHeader(header, body)
    : createRule(values["paths"], body);
}

function readPlainHeader(header: string): PlainHeader | undefined {
  // Backtracking makes the pattern for scalars slow on long lines, so these are left to the parser.
  const hasLongLine = header.split("\n").some((line) => line.length > MAX_PLAIN_LINE);
  return hasLongLine ? undefined : parsePlainHeader(header, RULE_SYNTAX);
}

async function parseYamlHeader(header: string, body: string): Promise<Rule> {
  const { parse, YAMLParseError } = await import("yaml");
  try {
    const fields: unknown = parse(header, {
      maxAliasCount: 0,
      logLevel: "error",
      stringKeys: true,
    });
    return createRule(isRecord(fields) ? fields["paths"] : undefined, body);
  } catch (error) {
    if (!(error instanceof YAMLParseError) && !(error instanceof ReferenceError)) throw error;
    return broken(`The header is not valid YAML: ${error.message.split("\n")[0]}`);
  }
}

function createRule(paths: unknown, body: string): Rule {
  if (paths === undefined || paths === null) return { kind: "rule", body, paths: undefined };
  const globs = typeof paths === "string" ? splitGlobs(paths) : paths;
  if (!Array.isArray(globs) || !globs.every((glob) => typeof glob === "string")) {
    return broken(`paths must be a string or a list of globs, not ${JSON.stringify(paths)}.`);
  }
  if (globs.length === 0) return broken("paths is empty. Add a glob or remove the key.");
  const bad = globs.find((glob) => !isSafeGlob(glob));
  if (bad !== undefined || globs.length > MAX_GLOBS) return broken(globProblem(bad));
  return { kind: "rule", body, paths: globs };
}

function broken(message: string): Rule {
  return { kind: "broken", message };
}

function whole(body: string): Rule {
  return { kind: "rule", body, paths: undefined };
}

// A quoted text, or a text without anything that YAML could read differently. A glob may begin with a star without quotes,
// which YAML would take for an alias.
const GLOBS =
  /^(?:"[^"\\]*"|'[^']*'|[A-Za-z./*][^:#[\]{}&!|>'"%@`]*(?:\{[^:#[\]{}]*\}[^:#[\]{}]*)*)$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
const RULE_SYNTAX: HeaderSyntax = { readScalar: readGlobs, isForgiving: true };

function readGlobs(source: string, position: "value" | "item"): unknown {
  const globs = position === "value" ? source.trimEnd() : source;
  if (!GLOBS.test(globs)) return undefined;
  const boolean = position === "value" ? BOOLEANS.get(globs.toLowerCase()) : undefined;
  return boolean ?? unquoted(globs.trim());
}

/**
 * Rejects globs that could take forever to match: long ones, extended ones, those with many stars or alternatives, and a
 * plus after a bracket or a brace, which would mean repetition. Escaped parentheses are literal.
 */
export function isSafeGlob(glob: string): boolean {
  const unescaped = glob.replaceAll(/\\./gs, "");
  return glob !== "" && !/[()]|[\]}]\+/.test(unescaped) && isBoundedPattern(glob);
}

/** Commas separate globs, except inside braces. */
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

function globProblem(glob: string | undefined): string {
  if (glob === undefined) return `paths has more than ${MAX_GLOBS} globs.`;
  const shown = JSON.stringify(glob.slice(0, 60));
  return `The glob ${shown} is not supported: at most 256 characters, 3 stars in one name, ** at most 3 times, few alternatives in braces, and no extended globs.`;
}
