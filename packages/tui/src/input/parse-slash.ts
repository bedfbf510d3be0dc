import { nearest } from "@caliban/common";
import type { CompletionCommand } from "./completion.ts";

type NamedCommand = Pick<CompletionCommand, "name" | "aliases">;

/** A line that starts with a slash, matched with the table. */
export type ParsedSlash<Row> =
  | {
      readonly kind: "command";
      readonly row: Row;
      readonly rest: string;
      readonly words: readonly string[];
    }
  | { readonly kind: "unknown"; readonly name: string; readonly suggestion: string | undefined };

/** Returns `undefined` for a message to the model, even one that starts with a path. */
export function parseSlash<Row extends NamedCommand>(
  line: string,
  rows: readonly Row[],
): ParsedSlash<Row> | undefined {
  const match = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(line.trim());
  const name = match?.[1];
  if (/^\/+$/.test(line.trim())) return { kind: "unknown", name: "", suggestion: undefined };
  if (name === undefined || name === "") return undefined;
  const row = rows.find((candidate) => namesOf(candidate).includes(name.toLowerCase()));
  if (row === undefined) {
    return { kind: "unknown", name, suggestion: suggestionFor(name, rows.flatMap(namesOf)) };
  }
  const rest = match?.[2]?.trim() ?? "";
  return { kind: "command", row, rest, words: splitArguments(rest) };
}

/** A beginning is not a typo, however much of the name is missing. */
function suggestionFor(name: string, known: readonly string[]): string | undefined {
  return known.find((each) => each.startsWith(name.toLowerCase())) ?? nearest(name, known);
}

function namesOf({ name, aliases = [] }: NamedCommand): readonly string[] {
  return [name, ...aliases];
}

/** Splits at blanks; quotes at the start of a word, or after `=`, keep several words together. Nothing is expanded. */
export function splitArguments(text: string): readonly string[] {
  return [...text.matchAll(WORD)].map(([word, lead = "", double, single]) => {
    const quoted = double ?? single;
    return quoted === undefined ? word : lead + quoted;
  });
}

// An unclosed quote extends to the end, because the user has not finished typing.
const WORD = /([^\s"'=]*=)?(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$))|\S+/g;
