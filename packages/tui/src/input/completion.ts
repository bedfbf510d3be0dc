import { terminalSafeLine } from "@caliban/common";
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyFilter,
} from "@earendil-works/pi-tui";

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
  let known: KnownPaths = { files: [], paths: [] };
  const pathsOf = (files: readonly string[]): readonly string[] => {
    // The same list for many keys.
    if (known.files !== files) known = { files, paths: [...directoriesOf(files), ...files] };
    return known.paths;
  };
  return {
    triggerCharacters: ["@"],
    getSuggestions: async (lines, cursorLine, cursorCol) => {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const slash = cursorLine === 0 ? slashSuggestions(before, commands) : undefined;
      if (slash !== undefined) return slash;
      const typed = /(?:^|\s)@(\S*)$/.exec(before)?.[1];
      return typed === undefined ? null : fileSuggestions(typed, pathsOf(await listFiles()));
    },
    // oxlint-disable-next-line max-params -- the library's signature
    applyCompletion: (lines, cursorLine, cursorCol, { value }) => {
      const line = lines[cursorLine] ?? "";
      const start = startOf(value, line.slice(0, cursorCol));
      // The path may continue after a directory.
      const inserted = value.startsWith("@") && value.endsWith("/") ? value : `${value} `;
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

/** Where the completed word starts. The position that the library passes may be older than the last key. */
function startOf(value: string, before: string): number {
  if (value.startsWith("/")) return 0;
  if (value.startsWith("@")) return before.lastIndexOf("@");
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

interface KnownPaths {
  readonly files: readonly string[];
  /** The same, after their directories. */
  readonly paths: readonly string[];
}

/** Every directory that contains a file, with a slash at the end. */
function directoriesOf(files: readonly string[]): ReadonlySet<string> {
  const directories = new Set<string>();
  for (const file of files) {
    // The parents of a known directory are known, too.
    let end = file.lastIndexOf("/");
    while (end > 0 && !directories.has(file.slice(0, end + 1))) {
      directories.add(file.slice(0, end + 1));
      end = file.lastIndexOf("/", end - 1);
    }
  }
  return directories;
}

function fileSuggestions(typed: string, paths: readonly string[]): AutocompleteSuggestions | null {
  if (paths.includes(typed)) return typed.endsWith("/") ? contentsOf(typed, paths) : null;
  const found = fuzzyFilter([...paths], typed, (path) => path).slice(0, MAX_FILES);
  return pathSuggestions(found, typed);
}

function contentsOf(directory: string, paths: readonly string[]): AutocompleteSuggestions | null {
  const inside = paths.filter((path) => path.startsWith(directory) && path !== directory);
  return pathSuggestions(inside.slice(0, MAX_FILES), directory);
}

function pathSuggestions(found: readonly string[], typed: string): AutocompleteSuggestions | null {
  const items = found.flatMap((file) =>
    // A name that cannot be displayed cannot be typed either.
    terminalSafeLine(file) === file ? [{ value: `@${file}`, label: file }] : [],
  );
  return suggestions(items, `@${typed}`);
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
