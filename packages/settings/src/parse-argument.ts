import { parsePositiveInteger, parseSwitch } from "@caliban/common";
import { type CheckContext, checkValue, type NotSuch, type ValueForm } from "./check-value.ts";
import { isListKind } from "./setting-row.ts";

/** A value as TOML takes it, or what it must be instead. */
export type ParsedArgument =
  | { readonly value: boolean | number | string | readonly string[] }
  | NotSuch;

/** Reads the words that were typed after `caliban settings set KEY`. */
export function parseArgument(
  form: ValueForm,
  words: readonly string[],
  context: CheckContext,
): ParsedArgument {
  const { kind } = form;
  if (isListKind(kind)) {
    const items = listOf(words);
    const checkedList = checkValue(form, items, context);
    if (!("mustBe" in checkedList)) return { value: items };
    return { ...checkedList, mustBe: `${checkedList.mustBe}, each as a word of its own` };
  }
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
