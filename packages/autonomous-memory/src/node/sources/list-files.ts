import { lstatSync, readdirSync } from "node:fs";
import { sep } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
import type { SourceFile, SourceListing } from "../../session-source.ts";

const MOST_PROBLEMS = 5;

/** What was found so far, and what stood in the way. */
export interface ListingInProgress {
  readonly files: SourceFile[];
  readonly problems: string[];
  /** What a person should hear though nothing that we read is missing. */
  readonly notes: string[];
}

export function beginListing(): ListingInProgress {
  return { files: [], problems: [], notes: [] };
}

/** Nothing is missing where there was no problem. */
export function endListing({ files, problems, notes }: ListingInProgress): SourceListing {
  const more = problems.length - MOST_PROBLEMS;
  const shown = problems.slice(0, MOST_PROBLEMS);
  return {
    files,
    isComplete: problems.length === 0,
    problems: [...shown, ...(more > 0 ? [`${more} more places could not be read`] : []), ...notes],
  };
}

/** The names in a directory; none when there is no such directory, and a problem when it cannot be read. */
function namesIn(directory: string, { problems }: ListingInProgress): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) problems.push(problemWith(directory, error));
    return [];
  }
}

/** The real directories in a directory: a link may lead anywhere. */
export function directoriesIn(
  directory: string,
  { problems }: ListingInProgress,
): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) problems.push(problemWith(directory, error));
    return [];
  }
}

/**
 * Adds the files of a directory whose names are wanted, and gives the other names. Nothing is opened: each costs one look
 * at what it is.
 */
export function addFiles(
  listing: ListingInProgress,
  directory: string,
  isWanted: (name: string) => boolean,
): readonly string[] {
  const others: string[] = [];
  for (const name of namesIn(directory, listing)) {
    if (isWanted(name)) addFile(listing, `${directory}${sep}${name}`);
    else others.push(name);
  }
  return others;
}

function addFile({ files, problems }: ListingInProgress, path: string): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Removed since.
    if (stats === undefined) return;
    if (stats.isFile()) files.push({ path, mtimeMs: Math.round(stats.mtimeMs), size: stats.size });
    else problems.push(`${path} was left out: it is no regular file`);
  } catch (error) {
    problems.push(problemWith(path, error));
  }
}

function problemWith(path: string, error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) throw error;
  return `${path} cannot be read: the system says ${code}; check who may read it`;
}
