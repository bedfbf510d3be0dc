import { basename, dirname, extname, join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Evidence } from "../../topics/topic-fields.ts";
import type { ListFiles } from "./list-files.ts";
import type { ReadChecked } from "./read-checked-file.ts";

/** A file that has what another one had. */
export type MovedTo = Pick<Evidence, "path" | "sha256">;

/** Finds the files in which evidence may be now. */
export type FindMoved = (evidence: Evidence, how: HowMoved) => Promise<readonly MovedTo[]>;

interface HowMoved {
  /** Without links. */
  readonly root: string;
  /** There is no such file any more, so that it may have another name now. */
  readonly isMissing: boolean;
  /** The file has another value in place of the line, so that the same line elsewhere says nothing. */
  readonly isReplaced: boolean;
}

export interface FindMovedInput {
  readonly read: ReadChecked;
  readonly listFiles: ListFiles;
}

const MAX_SAME_NAME = 20;
const MAX_OTHER_NAMES = 200;
const MAX_BYTES_OF_OTHERS = 8 * 1024 * 1024;
/** A shorter line is in many files. */
const MIN_SNIPPET_CHARACTERS = 16;

/**
 * Creates a search for evidence that moved: the same bytes, or the line in a file of the same name, or if the file is gone,
 * in one with the same extension. Few files are read, the nearest first.
 */
export function createFindMoved({ read, listFiles }: FindMovedInput): FindMoved {
  return async (evidence, { root, isMissing, isReplaced }) => {
    const { path, sha256, snippet } = evidence;
    const from = join(root, ...path.split("/"));
    const others = (await listFiles(root)).filter((other) => other !== from);
    const found: MovedTo[] = [];
    let bytes = 0;
    for (const other of candidatesOf(from, others, isMissing)) {
      if (bytes > MAX_BYTES_OF_OTHERS) break;
      // Reading blocks, and others may have something to do.
      await setImmediate();
      const candidate = read(root, other);
      if (candidate.kind !== "read") continue;
      const isSameName = basename(other) === basename(from);
      if (!isSameName) bytes += candidate.size;
      const isDistinct = isSameName || snippet.length >= MIN_SNIPPET_CHARACTERS;
      const hasLine = !isReplaced && isDistinct && candidate.contains(snippet);
      if (candidate.sha256 !== sha256 && !hasLine) continue;
      const moved = relative(root, other).split(sep).join("/");
      found.push({ path: moved, sha256: candidate.sha256 });
    }
    const same = found.filter((one) => one.sha256 === sha256);
    return same.length > 0 ? same : preferSameName(found, basename(from));
  };
}

/** Files of the same name, and if the file is gone, the nearest ones with the same extension. */
function candidatesOf(
  from: string,
  others: readonly string[],
  isMissing: boolean,
): readonly string[] {
  const [name, extension] = [basename(from), extname(from)];
  const named = others.filter((other) => basename(other) === name).slice(0, MAX_SAME_NAME);
  if (!isMissing) return named;
  const renamed = others
    .filter((other) => extname(other) === extension && basename(other) !== name)
    .map((other) => ({ other, distance: distanceOf(from, other) }))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, MAX_OTHER_NAMES)
    .map(({ other }) => other);
  return [...named, ...renamed];
}

/** How many directories are between two files. */
function distanceOf(one: string, other: string): number {
  const between = relative(dirname(one), dirname(other));
  return between === "" ? 0 : between.split(sep).length;
}

function preferSameName(found: readonly MovedTo[], name: string): readonly MovedTo[] {
  const named = found.filter(({ path }) => basename(path) === name);
  return named.length > 0 ? named : found;
}
