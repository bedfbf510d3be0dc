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
  readonly verbs?: (() => readonly CompletionWord[]) | undefined;
  /** Lists what can be typed next in the arguments so far. */
  readonly complete?: ((rest: string) => Promise<ArgumentCompletion>) | undefined;
}

interface CompletionWord {
  readonly name: string;
  readonly doc: string;
}

/** Candidates for the last word of the arguments. */
export interface ArgumentCompletion {
  /** The arguments before that word, as typed. */
  readonly lead: string;
  readonly items: readonly CompletionWord[];
}

interface CompletionInput {
  readonly commands: readonly CompletionCommand[];
  /** More of them, which are read from files. */
  readonly listMore?: (() => Promise<readonly CompletionCommand[]>) | undefined;
  /** Paths relative to the workspace. */
  readonly listFiles: () => Promise<readonly string[]>;
}

const MAX_FILES = 20;

/** Completes slash commands and their first words, and files and directories after an `@`. */
export function createCompletion({
  commands,
  listFiles,
  listMore = async () => [],
}: CompletionInput): AutocompleteProvider {
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
      const typed = typedPath(before);
      const isSlash = cursorLine === 0 && typed === undefined && /^\/\S*(?:\s|$)/.test(before);
      if (isSlash) return await slashSuggestions(before, { commands, listMore });
      if (typed === undefined) return null;
      const index = await indexOf(await listFiles());
      return await fileSuggestions(typed, index, () => signal.aborted);
    },
    // oxlint-disable-next-line max-params -- the library's signature
    applyCompletion: (lines, cursorLine, cursorCol, { value }) => {
      const line = lines[cursorLine] ?? "";
      if (isStale(value, line.slice(0, cursorCol))) return { lines, cursorLine, cursorCol };
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

/** Whether the user typed on while the list was made, so that the value would replace words that it does not contain. */
function isStale(value: string, before: string): boolean {
  if (value.startsWith("@")) return typedPath(before) === undefined;
  const typed = value.startsWith("/") ? before : before.replace(/^\/\S+\s+/, "");
  return typed.split(/\s+/).length > value.split(/\s+/).length;
}

async function slashSuggestions(
  before: string,
  {
    commands,
    listMore,
  }: Required<Pick<CompletionInput, "commands">> & {
    readonly listMore: () => Promise<readonly CompletionCommand[]>;
  },
): Promise<AutocompleteSuggestions | null> {
  const [, name = "", gap, rest = ""] = /^\/(\S*)(?:(\s+)(.*))?$/.exec(before) ?? [];
  if (gap !== undefined) {
    const command = commands.find((each) => namesOf(each).includes(name));
    return command === undefined ? null : await argumentSuggestions(command, rest);
  }
  const found = [...commands, ...(await listMore())].filter((command) =>
    namesOf(command).some((known) => startsPart(known, name)),
  );
  const items = found.map((command) => ({
    value: `/${command.name}`,
    label: labelOf(command),
    description: command.doc,
  }));
  return suggestions(items, `/${name}`);
}

/** Whether a name starts with a text, or one of its parts does: `component` of `frontend:component`. */
function startsPart(name: string, typed: string): boolean {
  return name.startsWith(typed) || (typed !== "" && name.includes(`:${typed}`));
}

const MAX_ITEMS = 50;
/** A shorter text is part of most descriptions. */
const MIN_DOC_MATCH = 3;

async function argumentSuggestions(
  { verbs = () => [], complete }: CompletionCommand,
  rest: string,
): Promise<AutocompleteSuggestions | null> {
  const first = verbs().map(({ name, doc }) => ({ value: name, label: name, description: doc }));
  // A complete word needs no suggestion: Enter sends it.
  if (first.some(({ value }) => value === rest)) return null;
  const { lead, items } = (await complete?.(rest)) ?? { lead: "", items: [] };
  const typed = rest.slice(lead.length).toLowerCase();
  if (items.some(({ name }) => name.toLowerCase() === typed)) return null;
  const words = [...items]
    .map((item) => ({ item, rank: rankOf(item, typed) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item: { name, doc } }) => ({ value: lead + name, label: name, description: doc }));
  const named = first.filter(({ value }) => value.startsWith(rest));
  const known = new Set(named.map(({ value }) => value));
  const all = [...named, ...words.filter(({ value }) => !known.has(value))];
  return suggestions(all.slice(0, MAX_ITEMS), rest);
}

const NO_MATCH = 3;

/** The beginning of a name comes before any part of it, and that before a part of its description. */
function rankOf({ name, doc }: CompletionWord, typed: string): number {
  const at = name.toLowerCase().indexOf(typed);
  if (at !== -1) return at === 0 ? 0 : 1;
  const isInDoc = typed.length >= MIN_DOC_MATCH && doc.toLowerCase().includes(typed);
  return isInDoc ? 2 : NO_MATCH;
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
  isOutdated: () => boolean,
): Promise<AutocompleteSuggestions | null> {
  const { paths } = index;
  if (paths.includes(typed)) return typed.endsWith("/") ? contentsOf(typed, paths) : null;
  const found = await findPaths({ index, typed, limit: MAX_FILES, isStale: isOutdated });
  return isOutdated() ? null : pathSuggestions(found, typed);
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
