import { parsePositiveInteger, parseSwitch } from "@caliban/common";
import { type CheckContext, checkValue, type NotSuch, type ValueForm } from "./check-value.ts";
import { isListKind } from "./setting-row.ts";

/** A value as TOML takes it, or what it must be instead. */
export type ParsedArgument =
  | {
      readonly value:
        | boolean
        | number
        | string
        | readonly string[]
        | Readonly<Record<string, string>>;
    }
  | NotSuch;

/** Reads the words that were typed after `caliban settings set KEY`. */
export function parseArgument(
  form: ValueForm,
  words: readonly string[],
  context: CheckContext,
): ParsedArgument {
  const { kind } = form;
  if (kind === "variables") return parseVariables(form, words, context);
  if (isListKind(kind)) return parseList(form, words, context);
  const [word = ""] = words;
  if (words.length > 1) return { mustBe: "one value" };
  if (kind === "switch") {
    const value = word === "" ? undefined : parseSwitch(word);
    return value === undefined ? { mustBe: "true or false" } : { value };
  }
  if (kind === "tokens") {
    const value = parsePositiveInteger(word);
    return value === undefined ? { mustBe: "a whole number above 0, like 8000" } : { value };
  }
  if (kind === "count") return parseCount(form, word, context);
  const checked = checkValue(form, word, context);
  // The file keeps what was typed (`~/notes`), so that it means the same on another machine.
  return "mustBe" in checked ? checked : { value: word };
}

function parseList(
  form: ValueForm,
  words: readonly string[],
  context: CheckContext,
): ParsedArgument {
  const items = listOf(words);
  const checked = checkValue(form, items, context);
  if (!("mustBe" in checked)) return { value: items };
  return { ...checked, mustBe: `${checked.mustBe}, each as a word of its own` };
}

/** `NAME=text`, each as a word of its own. */
function parseVariables(
  form: ValueForm,
  words: readonly string[],
  context: CheckContext,
): ParsedArgument {
  const pairs = words.map((word) => /^([^=]*)=([^]*)$/.exec(word));
  const named = pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? "", pair[2] ?? ""]]));
  const value: Readonly<Record<string, string>> = Object.fromEntries(named);
  const checked = named.length < words.length ? undefined : checkValue(form, value, context);
  if (checked !== undefined && "value" in checked) return { value };
  return { mustBe: "variables like PORT=8080, each as a word of its own" };
}

/** A list may also be one word, as it stands in a file. */
function listOf(words: readonly string[]): readonly string[] {
  const [word = "", ...more] = words;
  if (more.length > 0 || !/^\[\s*"[^]*\]$/.test(word.trim())) return words;
  try {
    const list: unknown = JSON.parse(word);
    const items: readonly unknown[] = Array.isArray(list) ? list : [];
    const texts = items.flatMap((item) => (typeof item === "string" ? [item] : []));
    return texts.length === items.length ? texts : words;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return words;
  }
}

function parseCount(form: ValueForm, word: string, context: CheckContext): ParsedArgument {
  const given = /^\d{1,15}$/.test(word) ? BigInt(word) : word;
  const checked = checkValue(form, given, context);
  return "mustBe" in checked ? checked : { value: Number(given) };
}
