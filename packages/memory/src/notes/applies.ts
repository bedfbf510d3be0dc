import { isSafeGlob } from "../prompt/rules.ts";
import type { IndexedNote } from "./note-index.ts";

/** Compiles a glob, as picomatch does. */
export type CompileGlob = (glob: string) => (path: string) => boolean;

/** Finds the topics that apply to a file or a command. */
export interface AppliesMatcher {
  /** With the length of the longest pattern that matches: a longer one is more specific. */
  readonly toPath: (path: string) => readonly AppliedNote[];
  readonly toCommand: (command: string) => readonly AppliedNote[];
}

interface AppliedNote {
  readonly note: IndexedNote;
  readonly specificity: number;
}

const MAX_COMMAND_CHARACTERS = 2_000;
const MAX_PATTERN_CHARACTERS = 256;

/** Equal globs of any number of topics are matched once. Globs that could take forever to match are ignored. */
export function createAppliesMatcher(
  notes: readonly IndexedNote[],
  compile: CompileGlob,
): AppliesMatcher {
  const globs = groupBy(notes, (note) => (note.applies?.paths ?? []).filter(isSafeGlob));
  const commands = groupBy(notes, (note) =>
    (note.applies?.commands ?? []).filter(({ length }) => length <= MAX_PATTERN_CHARACTERS),
  );
  const compiled = new Map<string, (path: string) => boolean>();
  const matches = (glob: string, path: string): boolean => {
    const plain = glob.replace(/^\.?\//, "").replace(/\/$/, "/**");
    // The plain part before the first star rules most globs out without a regular expression.
    const base = /^[\w./-]*/.exec(plain)?.[0] ?? "";
    const directory = base.slice(0, base.lastIndexOf("/") + 1);
    if (!plain.startsWith("!") && !path.startsWith(directory)) return false;
    const known = compiled.get(glob) ?? compile(plain);
    compiled.set(glob, known);
    return known(path);
  };
  return {
    toPath: (path) => found(globs, (glob) => matches(glob, path)),
    toCommand: (command) => {
      const parts = simpleCommands(command.slice(0, MAX_COMMAND_CHARACTERS));
      return found(commands, (pattern) => parts.some((part) => matchesCommand(pattern, part)));
    },
  };
}

function groupBy(
  notes: readonly IndexedNote[],
  patternsOf: (note: IndexedNote) => readonly string[],
): ReadonlyMap<string, readonly IndexedNote[]> {
  const groups = new Map<string, IndexedNote[]>();
  for (const note of notes) {
    for (const pattern of patternsOf(note)) {
      const group = groups.get(pattern);
      if (group === undefined) groups.set(pattern, [note]);
      else group.push(note);
    }
  }
  return groups;
}

function found(
  groups: ReadonlyMap<string, readonly IndexedNote[]>,
  matches: (pattern: string) => boolean,
): readonly AppliedNote[] {
  const specificity = new Map<IndexedNote, number>();
  for (const [pattern, notes] of groups) {
    if (!matches(pattern)) continue;
    const length = pattern.replaceAll(/[*?{}[\]]/g, "").length;
    for (const note of notes) {
      specificity.set(note, Math.max(length, specificity.get(note) ?? 0));
    }
  }
  return Array.from(specificity, ([note, length]) => ({ note, specificity: length }));
}

/** The commands of a line, without assignments before them. Splits within quotes as well, which only finds more. */
function simpleCommands(line: string): readonly string[] {
  return line
    .split(/&&|\|\||[;|&\n()]/)
    .map((part) =>
      part
        .trim()
        .replace(/^(?:\w+=\S*\s+)+/, "")
        .replaceAll(/\s+/g, " "),
    )
    .filter((part) => part !== "");
}

/** As in permission rules: `npm *` matches `npm`, and `npm` with anything after it; without a star, the whole command. */
export function matchesCommand(pattern: string, command: string): boolean {
  const plain = pattern.trim().replaceAll(/\s+/g, " ").replace(/:\*$/, " *");
  if (plain === "") return false;
  if (plain.endsWith(" *") && matchesStars(plain.slice(0, -2), command)) return true;
  return matchesStars(plain, command);
}

/** A star matches anything. Takes at most the product of both lengths. */
function matchesStars(pattern: string, text: string): boolean {
  let [at, position, star, mark] = [0, 0, -1, 0];
  while (position < text.length) {
    if (pattern[at] === "*") [star, mark, at] = [at, position, at + 1];
    else if (at < pattern.length && pattern[at] === text[position])
      [at, position] = [at + 1, position + 1];
    else if (star !== -1) [at, mark, position] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
