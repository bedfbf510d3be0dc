import { safeOperands } from "./covers-arguments.ts";
import type { LineWord, SimpleCommand } from "./parse-line.ts";
import {
  PROGRAMS_WITH_VERSION,
  READ_ONLY_PROGRAMS,
  type ReadOnlyProgram,
} from "./read-only-programs.ts";

/** What a command that changes nothing may open. */
export interface CommandReads {
  /** Every word that may be a path, as it is spelled. One that names no file does no harm. */
  readonly paths: readonly string[];
  /** Where it may open files that the command does not name. */
  readonly trees: readonly ReadTree[];
  /** Whether it shows the text of files, and whether also of files that the command does not name. */
  readonly shows: "facts" | "named text" | "any text";
}

/** A part of the file system that a wildcard or a recursive search reaches. */
export interface ReadTree {
  readonly path: string;
  /** How many levels of names below the path. */
  readonly levels: number;
  /** Whether names that start with a dot count. */
  readonly hasHidden: boolean;
}

/**
 * Says what a command may open, if it is known to write nothing, run nothing, use no network and show no variables.
 * Returns `undefined` for every other command.
 */
export function readOnlyCommand({ words }: SimpleCommand): CommandReads | undefined {
  const [program, ...rest] = words;
  if (program.hasWildcard) return undefined;
  if (asksForVersion(words)) return { paths: [], trees: [], shows: "facts" };
  const row = READ_ONLY_PROGRAMS.get(program.text);
  if (row === undefined || rest.some(startsWithWildcard)) return undefined;
  const operands = safeOperands(
    rest.map(({ text }) => ({ text, hasUnknownStart: false })),
    row,
  );
  if (operands === undefined || (program.text === "rg" && selectsHidden(rest))) return undefined;
  const isRecursive = GREPS.has(program.text) && rest.some(isRecursiveOption);
  const trees = [
    ...rest.flatMap(wildcardTree),
    ...(isRecursive ? searchedTrees(rest, operands) : []),
  ];
  return { paths: rest.flatMap(pathsIn), trees, shows: shownBy(row, rest, trees) };
}

const GREPS: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep"]);

function asksForVersion([program, option, ...others]: SimpleCommand["words"]): boolean {
  if (option?.text !== "--version" || others.length > 0) return false;
  return PROGRAMS_WITH_VERSION.has(program.text);
}

/** The names of files would come first, and one of them may look like an option. */
function startsWithWildcard({ text, hasWildcard }: LineWord): boolean {
  return hasWildcard && /^[*?[]/.test(text);
}

/** A glob such as `.e*` makes ripgrep search hidden files. */
function selectsHidden(words: readonly LineWord[]): boolean {
  return (
    words.some(({ text }) => /^-\w*g|^--i?glob/.test(text)) &&
    words.some(({ text }) => /(?:^|\/|=|^-g)\.[^/]*[*?[{]/.test(text))
  );
}

function isRecursiveOption({ text }: LineWord): boolean {
  return text === "--recursive" || /^-\w*r/.test(text);
}

/** A value after `=`, a path after `HEAD:`, and what is attached to a letter count, too. What is left out does not. */
function pathsIn({ text, hasWildcard }: LineWord): readonly string[] {
  if (hasWildcard || /^!|^--exclude/.test(text)) return [];
  const tails = Array.from(text.matchAll(/[=:]/g), ({ index }) => text.slice(index + 1));
  const attached = /^-\w./.test(text) ? [text.slice(2)] : [];
  return [text, ...tails, ...attached].filter((path) => path !== "");
}

function wildcardTree({ text, hasWildcard }: LineWord): readonly ReadTree[] {
  if (!hasWildcard) return [];
  const names = text.split("/");
  const from = names.findIndex((name) => /[*?[\]]/.test(name));
  const below = names.slice(from);
  return [
    {
      path: names.slice(0, from).join("/") || (text.startsWith("/") ? "/" : "."),
      levels: below.length,
      hasHidden: below.some((name) => /^[.[\\]/.test(name)),
    },
  ];
}

/** The first operand is the pattern, unless `-e` gives one. Without a directory, grep searches the current one. */
function searchedTrees(
  words: readonly LineWord[],
  operands: readonly string[],
): readonly ReadTree[] {
  const hasPattern = words.some(({ text }) => /^-\w*e|^--regexp/.test(text));
  const isCurrent = operands.length <= (hasPattern ? 0 : 1);
  const below = { levels: Infinity, hasHidden: true };
  return [
    ...operands.map((path) => ({ path: path.replace(/[^/]*[*?[].*$/, "") || ".", ...below })),
    ...(isCurrent ? [{ path: ".", ...below }] : []),
  ];
}

function shownBy(
  row: ReadOnlyProgram,
  words: readonly LineWord[],
  trees: readonly ReadTree[],
): CommandReads["shows"] {
  const { subcommands = {} } = row;
  const name = words.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  const { shows } = Object.hasOwn(subcommands, name) ? (subcommands[name] ?? row) : row;
  if (shows === "facts") return "facts";
  return shows === undefined && trees.length === 0 ? "named text" : "any text";
}
