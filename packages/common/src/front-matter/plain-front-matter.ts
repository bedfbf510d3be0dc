import type { FrontMatter } from "./front-matter.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

const KEY_LINE = /^([A-Za-z_][A-Za-z0-9_-]*): +(.*)$/;
// Begins with a letter, and holds nothing that YAML could read as more than text.
const PLAIN = /^[A-Za-z][^:#\p{Cc}\uFEFF]*$/u;
// As JSON has it, which takes no control characters.
const QUOTED = /^"(?:[^"\\\p{Cc}\uFEFF]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"$/u;
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/**
 * Reads a text as `parseFrontMatter` does, without a YAML parser, which takes longer to load than most programs to start.
 * `undefined` when its header is more than lines of a key and a text, a quoted text, or true or false.
 */
export function parsePlainFrontMatter(text: string): FrontMatter | undefined {
  const split = splitFrontMatter(text);
  if (split.kind !== "header") return split;
  const data = plainValues(split.header);
  return data === undefined ? undefined : { ...split, data };
}

function plainValues(header: string): Readonly<Record<string, unknown>> | undefined {
  const values: Record<string, unknown> = {};
  for (const line of header.replace(/\n$/, "").split("\n")) {
    const [, key = "", source = ""] = KEY_LINE.exec(line) ?? [];
    const value = BOOLEANS.get(source) ?? readPlainText(source);
    // A key given twice, or one that every object has, is the parser's business as well.
    if (value === undefined || key in values || !isPlainText(key)) return undefined;
    values[key] = value;
  }
  return values;
}

/** The text that a value is, where no YAML parser could take it for anything else. */
export function readPlainText(source: string): string | undefined {
  if (source.startsWith('"')) return QUOTED.test(source) ? String(JSON.parse(source)) : undefined;
  return PLAIN.test(source) && isPlainText(source) ? source : undefined;
}

/** Whether a text that looks plain is no word that YAML knows. */
export function isPlainText(source: string): boolean {
  return !NO_TEXT.test(source) && !source.endsWith(" ");
}
