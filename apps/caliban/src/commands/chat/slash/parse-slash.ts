import { nearest } from "@caliban/common";
import type { SlashRow } from "./slash-command.ts";
import { splitWords } from "./split-words.ts";

/** A line that begins with a slash, read by the table. */
export type ParsedSlash =
  | {
      readonly kind: "command";
      readonly row: SlashRow;
      readonly rest: string;
      readonly words: readonly string[];
    }
  | { readonly kind: "unknown"; readonly name: string; readonly meant: string | undefined };

/** `undefined` for what is no command but words for the model, also when they begin with a path. */
export function parseSlash(line: string, rows: readonly SlashRow[]): ParsedSlash | undefined {
  const match = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/.exec(line.trim());
  const name = match?.[1];
  if (/^\/+$/.test(line.trim())) return { kind: "unknown", name: "", meant: undefined };
  if (name === undefined || name === "") return undefined;
  const row = rows.find((candidate) => namesOf(candidate).includes(name.toLowerCase()));
  if (row === undefined)
    return { kind: "unknown", name, meant: nearest(name, rows.flatMap(namesOf)) };
  const rest = match?.[2]?.trim() ?? "";
  return { kind: "command", row, rest, words: splitWords(rest) };
}

function namesOf({ name, aliases = [] }: SlashRow): readonly string[] {
  return [name, ...aliases];
}
