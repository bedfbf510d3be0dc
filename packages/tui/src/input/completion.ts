import { terminalSafeLine } from "@caliban/common";
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from "@earendil-works/pi-tui";
import type { SlashRow } from "../../../../apps/caliban/src/commands/chat/slash/slash-command.ts";
import { SLASH_COMMANDS } from "../../../../apps/caliban/src/commands/chat/slash/slash-table.ts";

interface CompletionInput {
  /** Paths as seen from the workspace. */
  readonly listFiles: () => Promise<readonly string[]>;
}

const MOST_FILES = 20;

/** Completes slash commands with their first words, and files after an `@`. */
export function createCompletion({ listFiles }: CompletionInput): AutocompleteProvider {
  return {
    triggerCharacters: ["@"],
    getSuggestions: async (lines, cursorLine, cursorCol) => {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const slash = cursorLine === 0 ? slashSuggestions(before) : undefined;
      if (slash !== undefined) return slash;
      const typed = /(?:^|\s)@(\S*)$/.exec(before)?.[1];
      return typed === undefined ? null : fileSuggestions(typed, await listFiles());
    },
    // oxlint-disable-next-line max-params -- the library calls it so
    applyCompletion: (lines, cursorLine, cursorCol, { value }) => {
      const line = lines[cursorLine] ?? "";
      const start = startOf(value, line.slice(0, cursorCol));
      const inserted = `${value} `;
      const text = line.slice(0, start) + inserted + line.slice(cursorCol).trimStart();
      return {
        lines: lines.with(cursorLine, text),
        cursorLine,
        cursorCol: start + inserted.length,
      };
    },
    shouldTriggerFileCompletion: () => true,
  };
}

/** Where the word begins that is completed. The library's own idea of it may be older than the last key. */
function startOf(value: string, before: string): number {
  if (value.startsWith("/")) return 0;
  if (value.startsWith("@")) return before.lastIndexOf("@");
  return /^\/\S+\s+/.exec(before)?.[0].length ?? before.length;
}

/** `undefined` for what is no slash command. */
function slashSuggestions(before: string): AutocompleteSuggestions | null | undefined {
  const match = /^\/(\S*)(?:(\s+)(.*))?$/.exec(before);
  if (match === null) return undefined;
  const [, name = "", gap, rest = ""] = match;
  if (gap !== undefined) return verbSuggestions(name, rest);
  const items = SLASH_COMMANDS.filter((row) =>
    namesOf(row).some((known) => known.startsWith(name)),
  ).map((row) => ({ value: `/${row.name}`, label: labelOf(row), description: row.doc }));
  return suggestions(items, `/${name}`);
}

function verbSuggestions(name: string, rest: string): AutocompleteSuggestions | null {
  const verbs = SLASH_COMMANDS.find((row) => namesOf(row).includes(name))?.verbs?.() ?? [];
  // A verb that is there in full is done: Enter sends it off.
  if (verbs.some((verb) => verb.name === rest)) return null;
  const items = verbs
    .filter((verb) => verb.name.startsWith(rest))
    .map((verb) => ({ value: verb.name, label: verb.name, description: verb.doc }));
  return suggestions(items, rest);
}

function fileSuggestions(typed: string, files: readonly string[]): AutocompleteSuggestions | null {
  if (files.includes(typed)) return null;
  const found = fuzzyFilter([...files], typed, (file) => file).slice(0, MOST_FILES);
  const items = found.flatMap((file) =>
    // What cannot be shown as it is cannot be typed either.
    terminalSafeLine(file) === file ? [{ value: `@${file}`, label: file }] : [],
  );
  return suggestions(items, `@${typed}`);
}

function suggestions(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items, prefix };
}

function labelOf({ name, operands }: SlashRow): string {
  return operands === undefined ? `/${name}` : `/${name} ${operands}`;
}

function namesOf({ name, aliases = [] }: SlashRow): readonly string[] {
  return [name, ...aliases];
}
