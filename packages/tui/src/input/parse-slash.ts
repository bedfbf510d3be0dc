import { nearest, splitArguments } from "@caliban/common";
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
  | {
      readonly kind: "unknown";
      readonly name: string;
      readonly suggestion: string | undefined;
      readonly rest: string;
      readonly words: readonly string[];
    };

/** Returns `undefined` for a message to the model, even one that starts with a path. */
export function parseSlash<Row extends NamedCommand>(
  line: string,
  rows: readonly Row[],
): ParsedSlash<Row> | undefined {
  const match = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(line.trim());
  const name = match?.[1];
  if (/^\/+$/.test(line.trim())) return { kind: "unknown", name: "", ...NO_HINT, ...NO_ARGUMENTS };
  if (name === undefined || name === "") return undefined;
  const rest = match?.[2]?.trim() ?? "";
  const typed = { rest, words: splitArguments(rest) };
  const row = rows.find((candidate) => namesOf(candidate).includes(name.toLowerCase()));
  if (row !== undefined) return { kind: "command", row, ...typed };
  return {
    kind: "unknown",
    name,
    suggestion: suggestionFor(name, rows.flatMap(namesOf)),
    ...typed,
  };
}

const NO_HINT = { suggestion: undefined };
const NO_ARGUMENTS = { rest: "", words: [] };

/** A beginning is not a typo, however much of the name is missing. */
function suggestionFor(name: string, known: readonly string[]): string | undefined {
  return known.find((each) => each.startsWith(name.toLowerCase())) ?? nearest(name, known);
}

function namesOf({ name, aliases = [] }: NamedCommand): readonly string[] {
  return [name, ...aliases];
}
