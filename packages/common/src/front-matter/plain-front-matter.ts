import { readFlow } from "./flow.ts";
import type { FrontMatter } from "./front-matter.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

/**
 * Reads a text as `parseFrontMatter` does, but without a YAML parser, which takes longer to load than most programs take
 * to start. `undefined` when the header needs one.
 */
export function parsePlainFrontMatter(text: string): FrontMatter | undefined {
  const split = splitFrontMatter(text);
  if (split.kind !== "header") return split;
  const data = parsePlainHeader(split.header);
  return data === undefined ? undefined : { ...split, data };
}

/** Keys with their values: a scalar, a list, a map, or null for a key without a value. */
export type PlainHeader = Readonly<Record<string, unknown>>;

/** What a header may look like. */
export interface HeaderSyntax {
  /** The value of a text after `key: ` or `- `; `undefined` when only a YAML parser can tell. */
  readonly readScalar: (source: string, position: "value" | "item") => unknown;
  /**
   * Whether to accept what YAML rejects and users still write: tabs as indentation, a repeated key (the first
   * one counts), list items without a list (they are ignored).
   */
  readonly isForgiving: boolean;
}

const YAML_SYNTAX: HeaderSyntax = { readScalar: readPlainScalar, isForgiving: false };

/**
 * Reads the lines between the two `---`: keys with plain values, lists and maps one level deep, comments. With the default
 * syntax the result is always what a YAML parser would return. `undefined` for a header that needs one.
 */
export function parsePlainHeader(
  header: string,
  syntax: HeaderSyntax = YAML_SYNTAX,
): PlainHeader | undefined {
  const reading: Reading = { syntax, values: {}, block: undefined };
  const lines = header.replace(/\n$/, "").split("\n");
  return lines.every((line) => readLine(reading, line)) ? reading.values : undefined;
}

interface Reading {
  readonly syntax: HeaderSyntax;
  readonly values: Record<string, unknown>;
  /** What the lines below a key without a value add up to. */
  block: Block | undefined;
}

interface Block {
  readonly key: string;
  /** The indentation of its first line, which the others share. */
  indent?: string;
  readonly items: unknown[];
  readonly entries: Record<string, unknown>;
}

const STRICT = {
  blank: /^(?: *#[^\p{Cc}\uFEFF]*| *)$/u,
  key: /^([A-Za-z_][A-Za-z0-9_-]{0,127}):(?: +(\S.*))?$/,
  item: /^( *)- +(\S.*)$/,
};
const FORGIVING = {
  blank: /^[ \t]*(?:#.*)?$/,
  key: /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/,
  item: /^([ \t]*)-[ \t]+(.+)$/,
};
const ENTRY = /^( +)([A-Za-z_][A-Za-z0-9_-]{0,127}): +(\S.*)$/;

/** False for a line that needs a YAML parser. */
function readLine(reading: Reading, line: string): boolean {
  const pattern = reading.syntax.isForgiving ? FORGIVING : STRICT;
  const [, key, source] = pattern.key.exec(line) ?? [];
  if (key !== undefined) return readKey(reading, key, source);
  if (pattern.blank.test(line)) return true;
  const [, indent = "", item] = pattern.item.exec(line) ?? [];
  if (item !== undefined) return readItem(reading, indent, item);
  return !reading.syntax.isForgiving && readEntry(reading, line);
}

function readKey(reading: Reading, key: string, source: string | undefined): boolean {
  const { syntax, values } = reading;
  const isRepeated = Object.hasOwn(values, key);
  reading.block = undefined;
  // A repeated key, or one that every object has, is left to the parser.
  if (!syntax.isForgiving && (key in values || !isPlainText(key))) return false;
  if (source === undefined || source === "") {
    if (isRepeated) return true;
    values[key] = null;
    reading.block = { key, items: [], entries: {} };
    return true;
  }
  const value = syntax.readScalar(source, "value");
  if (!isRepeated) values[key] = value;
  return value !== undefined;
}

function readItem({ syntax, values, block }: Reading, indent: string, source: string): boolean {
  const item = syntax.readScalar(source, "item");
  if (item === undefined) return false;
  if (block === undefined) return syntax.isForgiving;
  block.indent ??= indent;
  const isInList = block.indent === indent && Object.keys(block.entries).length === 0;
  if (!isInList && !syntax.isForgiving) return false;
  block.items.push(item);
  values[block.key] = block.items;
  return true;
}

function readEntry({ syntax, values, block }: Reading, line: string): boolean {
  const [, indent, key, source] = ENTRY.exec(line) ?? [];
  if (block === undefined || key === undefined || source === undefined) return false;
  block.indent ??= indent ?? "";
  const { entries } = block;
  if (block.indent !== indent || block.items.length > 0) return false;
  const value = syntax.readScalar(source, "value");
  if (value === undefined || key in entries || !isPlainText(key)) return false;
  entries[key] = value;
  values[block.key] = entries;
  return true;
}

// Starts with a letter and contains nothing that YAML could read as more than text.
const PLAIN = /^[A-Za-z][^:#\p{Cc}\uFEFF]*$/u;
// A JSON string, which cannot contain control characters.
const QUOTED = /^"(?:[^"\\\p{Cc}\uFEFF]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"$/u;
const RESERVED_WORD = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
const TIME_OR_ID =
  /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const WORD_LIST = /^\[[A-Za-z][\w-]*(?:, [A-Za-z][\w-]*)*\]$/;

/**
 * The value of a text, a quoted text, a time, an id, a flow list of words, lists and maps in JSON, true or false.
 * `undefined` for anything that a YAML parser could read differently.
 */
export function readPlainScalar(source: string): unknown {
  if (source.startsWith("[")) return readWordList(source) ?? readFlow(source);
  if (source.startsWith("{")) return readFlow(source);
  const value = BOOLEANS.get(source) ?? readPlainText(source);
  return value ?? (TIME_OR_ID.test(source) ? source : undefined);
}

function readWordList(source: string): readonly string[] | undefined {
  if (!WORD_LIST.test(source)) return undefined;
  const words = source.slice(1, -1).split(", ");
  return words.every(isPlainText) ? words : undefined;
}

function readPlainText(source: string): string | undefined {
  if (source.startsWith('"')) return QUOTED.test(source) ? String(JSON.parse(source)) : undefined;
  return PLAIN.test(source) && isPlainText(source) ? source : undefined;
}

/** Whether a text that looks plain is not a word with a meaning in YAML. */
export function isPlainText(source: string): boolean {
  return !RESERVED_WORD.test(source) && !source.endsWith(" ");
}
