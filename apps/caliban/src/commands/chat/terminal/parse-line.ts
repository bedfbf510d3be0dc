import { type ParsedSlash, parseSlash } from "@caliban/tui";
import type { SlashRow } from "../slash/slash-command.ts";
import { SLASH_COMMANDS } from "../slash/slash-table.ts";

/** The command that a line at the prompt means; `undefined` for a message to the model. */
export function parseLine(line: string): ParsedSlash<SlashRow> | undefined {
  const note = NOTE.exec(line.trim())?.[1];
  return parseSlash(note === undefined ? line : `/remember ${note}`, SLASH_COMMANDS);
}

/** One line: several are pasted Markdown. Neither `#12`, which is an issue, nor `##`, which is a heading. */
const NOTE = /^#(?![#\d])[^\S\n]*(\S[^\n]*)$/;
