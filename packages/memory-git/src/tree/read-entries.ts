import { slugKey } from "@caliban/memory";
import type { RefusedEntry } from "../team/changes.ts";
import { refusal, type TreeEntry } from "./parse-tree.ts";

/** The files of a directory of the shared memory that may be used. */
export interface TopicEntries {
  /** By slug. */
  readonly files: ReadonlyMap<string, TreeEntry>;
  /** Files that a push keeps, although they are not used. */
  readonly kept: readonly TreeEntry[];
  readonly refused: readonly RefusedEntry[];
}

const REGULAR_FILE = "100644";
const SUFFIX = ".md";
const MAX_NAME_CHARACTERS = 255;

export interface ReadEntriesInput {
  readonly directory: string;
  readonly entries: readonly TreeEntry[];
  readonly maxBytes: number;
  /** Why a name is not valid; `undefined` if it is. */
  readonly findNameProblem: (slug: string) => string | undefined;
}

/** Decides by mode, name and size, before any content is read. */
export function readEntries(input: ReadEntriesInput): TopicEntries {
  const { directory, entries, maxBytes, findNameProblem } = input;
  const files = new Map<string, TreeEntry>();
  const kept: TreeEntry[] = [];
  const refused: RefusedEntry[] = [];
  const taken = namesByKey(entries);
  for (const entry of entries) {
    const path = `${directory}/${entry.shown}`;
    const [code, message] = problemOf(entry, findNameProblem) ?? [];
    if (code !== undefined && message !== undefined) {
      refused.push(refusal(path, code, message));
      continue;
    }
    const slug = (entry.name ?? "").slice(0, -SUFFIX.length);
    const isDuplicate = (taken.get(slugKey(slug)) ?? 0) > 1;
    const isLarge = (entry.bytes ?? 0) > maxBytes;
    if (!isDuplicate && !isLarge) {
      files.set(slug, entry);
      continue;
    }
    kept.push(entry);
    refused.push(
      isDuplicate
        ? refusal(path, "DUPLICATE_NAME", "another name is the same on some systems")
        : refusal(path, "TOO_LARGE", `it has ${entry.bytes} bytes; the limit is ${maxBytes}`),
    );
  }
  return { files, kept, refused };
}

function namesByKey(entries: readonly TreeEntry[]): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  for (const { name = "" } of entries) {
    const key = slugKey(name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name);
    taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  return taken;
}

function problemOf(
  { mode, type, name }: TreeEntry,
  findNameProblem: ReadEntriesInput["findNameProblem"],
): readonly [RefusedEntry["code"], string] | undefined {
  if (type !== "blob" || mode !== REGULAR_FILE) {
    return ["NOT_A_FILE", `it is not a regular file (mode ${mode})`];
  }
  if (name === undefined) return ["INVALID_NAME", "its name is not UTF-8"];
  if (!name.endsWith(SUFFIX)) return ["INVALID_NAME", "its name does not end with .md"];
  if (name.length > MAX_NAME_CHARACTERS) return ["INVALID_NAME", "its name is too long"];
  const problem = findNameProblem(name.slice(0, -SUFFIX.length));
  return problem === undefined ? undefined : ["INVALID_NAME", problem];
}
