import { type ParsedSlash, parseSlash } from "@caliban/tui";
import type { SlashRow } from "../slash/slash-command.ts";
import { SLASH_COMMANDS } from "../slash/slash-table.ts";

/** The command that a line at the prompt means; `undefined` for a message to the model. */
export function parseLine(line: string): ParsedSlash<SlashRow> | undefined {
  const command = SHELL_COMMAND.exec(line.trim())?.[1];
  if (command !== undefined) return { kind: "command", row: SHELL, rest: command, words: [] };
  const note = NOTE.exec(line.trim())?.[1];
  return parseSlash(note === undefined ? line : `/remember ${note}`, SLASH_COMMANDS);
}

/** Alone, it is explained. */
const SHELL_COMMAND = /^!\s*((?![\s!])[^]*)$/;

const SHELL: SlashRow = {
  name: "!",
  operands: "<command>",
  doc: "Run a command",
  takesLong: true,
  load: async () => (await import("../slash/shell.ts")).shell,
};

/** One line: several are pasted Markdown. Alone, it is explained. Neither `#12`, which is an issue, nor `##`, which is a heading. */
const NOTE = /^#(?![#\d])[^\S\n]*(|\S[^\n]*)$/;
