import { terminalSafeLine } from "@caliban/common";
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
} from "@earendil-works/pi-tui";
import { findPaths, indexPaths, type PathIndex } from "./find-paths.ts";
import { formatMention } from "./format-mention.ts";

/** A slash command to complete. */
export interface CompletionCommand {
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  /** The arguments, such as `[name]`. */
  readonly operands?: string | undefined;
  readonly doc: string;
  /** The first words that make sense after the name. */
  readonly verbs?: (() => readonly { readonly name: string; readonly doc: string }[]) | undefined;
}

interface CompletionInput {
  readonly commands: readonly CompletionCommand[];
  /** Paths relative to the workspace. */
  readonly listFiles: () => Promise<readonly string[]>;
}

const MAX_FILES = 20;

/** Completes slash commands and their first words, and files and directories after an `@`. */
export function createCompletion({ commands, listFiles }: CompletionInput): AutocompleteProvider {
  let known: { readonly files: readonly string[]; readonly index: Promise<PathIndex> } | undefined;
  const indexOf = async (files: readonly string[]): Promise<PathIndex> => {
    // The same list for many keys.
    if (known?.files !== files) known = { files, index: indexPaths(files) };
    return await known.index;
  };
  return {
    triggerCharacters: ["@"],
    // oxlint-disable-next-line max-params -- the library's signature
    getSuggestions: async (lines, cursorLine, cursorCol, { signal }) => {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const slash = cursorLine === 0 ? slashSuggestions(before, commands) : undefined;
      if (slash !== undefined) return slash;
      const typed = typedPath(before);
      if (typed === undefined) return null;
      const index = await indexOf(await listFiles());
      return await fileSuggestions(typed, index, () => signal.aborted);
    },
    // oxlint-disable-next-line max-params -- the library's signature
    applyCompletion: (lines, cursorLine, cursorCol, { value }) => {
      const line = lines[cursorLine] ?? "";
      const start = startOf(value, line.slice(0, cursorCol));
      // The path may continue after a directory.
      const inserted = isOpenDirectory(value) ? value : `${value} `;
      const rest = line.slice(cursorCol).replace(value.startsWith('@"') ? /^"?\s*/ : /^\s*/, "");
      const text = line.slice(0, start) + inserted + rest;
      return {
        lines: lines.with(cursorLine, text),
        cursorLine,
        cursorCol: start + inserted.length,
      };
    },
    shouldTriggerFileCompletion: () => true,
  };
}

/** Where the completed word starts. The position that the library passes may be older than the last key. */
function startOf(value: string, before: string): number {
  if (value.startsWith("/")) return 0;
  if (value.startsWith("@")) return MENTION.exec(before)?.index ?? before.length;
  return /^\/\S+\s+/.exec(before)?.[0].length ?? before.length;
}

/** `undefined` when the text is not a slash command. */
function slashSuggestions(
  before: string,
  commands: readonly CompletionCommand[],
): AutocompleteSuggestions | null | undefined {
  const match = /^\/(\S*)(?:(\s+)(.*))?$/.exec(before);
  if (match === null) return undefined;
  const [, name = "", gap, rest = ""] = match;
  if (gap !== undefined) {
    return verbSuggestions(
      commands.find((command) => namesOf(command).includes(name)),
      rest,
    );
  }
  const items = commands
    .filter((command) => namesOf(command).some((known) => known.startsWith(name)))
    .map((command) => ({
      value: `/${command.name}`,
      label: labelOf(command),
      description: command.doc,
    }));
  return suggestions(items, `/${name}`);
}

function verbSuggestions(
  command: CompletionCommand | undefined,
  rest: string,
): AutocompleteSuggestions | null {
  const verbs = command?.verbs?.() ?? [];
  // A complete verb needs no suggestion: Enter sends it.
  if (verbs.some((verb) => verb.name === rest)) return null;
  const items = verbs
    .filter((verb) => verb.name.startsWith(rest))
    .map((verb) => ({ value: verb.name, label: verb.name, description: verb.doc }));
  return suggestions(items, rest);
}

/** The mention that is being typed, which may begin with a quote. */
const MENTION = /(?<=^|[\s([{])@(?:"((?:[^"\\]|\\.)*)|([^\s"]\S*)?)$/u;

function typedPath(before: string): string | undefined {
  const match = MENTION.exec(before);
  if (match === null) return undefined;
  const [, quoted, plain = ""] = match;
  return quoted?.replaceAll(/\\(.)/gu, "$1") ?? plain;
}

/** A directory in quotes has no end yet, so that the path can continue. */
function isOpenDirectory(value: string): boolean {
  return value.startsWith("@") && value.endsWith("/");
}

async function fileSuggestions(
  typed: string,
  index: PathIndex,
  isStale: () => boolean,
): Promise<AutocompleteSuggestions | null> {
  const { paths } = index;
  if (paths.includes(typed)) return typed.endsWith("/") ? contentsOf(typed, paths) : null;
  const found = await findPaths({ index, typed, limit: MAX_FILES, isStale });
  return isStale() ? null : pathSuggestions(found, typed);
}

function contentsOf(directory: string, paths: readonly string[]): AutocompleteSuggestions | null {
  const inside = paths.filter((path) => path.startsWith(directory) && path !== directory);
  return pathSuggestions(inside.slice(0, MAX_FILES), directory);
}

function pathSuggestions(found: readonly string[], typed: string): AutocompleteSuggestions | null {
  const items = found.flatMap((file) =>
    // A name that cannot be displayed cannot be typed either.
    terminalSafeLine(file) === file ? [{ value: mentionOf(file), label: file }] : [],
  );
  return suggestions(items, `@${typed}`);
}

function mentionOf(path: string): string {
  const mention = formatMention(path);
  return path.endsWith("/") && mention.endsWith('"') ? mention.slice(0, -1) : mention;
}

function suggestions(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items, prefix };
}

function labelOf({ name, operands }: CompletionCommand): string {
  return operands === undefined ? `/${name}` : `/${name} ${operands}`;
}

function namesOf({ name, aliases = [] }: CompletionCommand): readonly string[] {
  return [name, ...aliases];
}
