import { splitFrontMatter } from "@caliban/common/front-matter";

const KEY_LINE = /^([A-Za-z_][A-Za-z0-9_-]*): +(.*)$/;
const NESTED_LINE = /^ {2}([A-Za-z_][A-Za-z0-9_-]*): +(.*)$/;
// Begins with a letter, and holds nothing that YAML could read as more than text.
const PLAIN = /^[A-Za-z][^:#\n\t]*$/;
const TIME_OR_ID =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const WORD_LIST = /^\[[A-Za-z][\w-]*(?:, [A-Za-z][\w-]*)*\]$/;
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const QUOTED = /^"(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"$/;

type Values = Readonly<Record<string, unknown>>;

/**
 * Reads the plain headers that we write ourselves, some thirty times as fast as a YAML parser: keys with texts, and
 * a `metadata` map of such keys. `undefined` for anything else, which is the parser's.
 */
export function scanHeader(text: string): Values | undefined {
  const split = splitFrontMatter(text);
  if (split.kind !== "header") return undefined;
  const values: Record<string, unknown> = {};
  const metadata: Record<string, unknown> = {};
  let isNested = false;
  for (const line of split.header.slice(0, -1).split("\n")) {
    if (line === "metadata:" && !("metadata" in values)) {
      values["metadata"] = metadata;
      isNested = true;
      continue;
    }
    isNested &&= line.startsWith("  ");
    if (!readLine(line, isNested ? metadata : values, isNested ? NESTED_LINE : KEY_LINE))
      return undefined;
  }
  return values;
}

/** False for a line that is not plain. A key given twice, or one that every object has, is the parser's business. */
function readLine(line: string, target: Record<string, unknown>, pattern: RegExp): boolean {
  const [, key, source] = pattern.exec(line) ?? [];
  if (key === undefined || source === undefined || key in target) return false;
  const value = scanValue(source);
  if (value === undefined) return false;
  target[key] = value;
  return true;
}

function scanValue(source: string): unknown {
  if (QUOTED.test(source)) return JSON.parse(source);
  if (TIME_OR_ID.test(source)) return source;
  if (WORD_LIST.test(source)) {
    const words = source.slice(1, -1).split(", ");
    return words.some((word) => NO_TEXT.test(word)) ? undefined : words;
  }
  return PLAIN.test(source) && !NO_TEXT.test(source) && !source.endsWith(" ") ? source : undefined;
}
