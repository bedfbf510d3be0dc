import { lstatSync, readdirSync } from "node:fs";
import { sep } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";
import { isSessionsError, type TranscriptFacts, type TranscriptFormat } from "@caliban/sessions";
import { identifyTranscript, isOptedOut, streamMessages } from "@caliban/sessions/node";
import type { PipelineNotice } from "../../run/notice.ts";
import type {
  IdentifiedFile,
  SessionSource,
  SourceFile,
  SourceListing,
} from "../../transcript/session-source.ts";

const MAX_PROBLEMS = 5;

/** The files found so far, and the problems on the way. */
export interface ListingInProgress {
  readonly files: SourceFile[];
  /** Anything here makes the listing incomplete. */
  readonly problems: PipelineNotice[];
  /** Worth reporting, although no readable file is missing. */
  readonly notes: PipelineNotice[];
}

export interface TranscriptSourceInput {
  readonly format: TranscriptFormat;
  readonly forgetsRemoved: boolean;
  readonly list: (listing: ListingInProgress) => void;
  /** The id of the session in a file. */
  readonly idOf: (path: string) => string;
  readonly belongsToProject: (facts: TranscriptFacts) => boolean;
}

/** The sessions of one agent, which are transcripts in one format. */
export function transcriptSource(input: TranscriptSourceInput): SessionSource {
  const { format, forgetsRemoved, list } = input;
  return {
    name: format,
    forgetsRemoved,
    list: async () => {
      const listing: ListingInProgress = { files: [], problems: [], notes: [] };
      list(listing);
      return finishListing(listing);
    },
    identify: async ({ path }) => await identifyFile(path, input),
    messages: ({ path }) => streamMessages({ path, format }),
  };
}

function finishListing({ files, problems, notes }: ListingInProgress): SourceListing {
  const shown = problems.slice(0, MAX_PROBLEMS);
  const more = problems.length - shown.length;
  const rest: readonly PipelineNotice[] =
    more > 0 ? [{ code: "MORE_NOTICES", message: `${more} more paths could not be read` }] : [];
  return { files, isComplete: problems.length === 0, notices: [...shown, ...rest, ...notes] };
}

/** The real directories in a directory: a symbolic link may lead anywhere. */
export function listDirectories(directory: string, listing: ListingInProgress): readonly string[] {
  return tryToRead(directory, listing, () =>
    readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  );
}

/** Adds the files of a directory with matching names, and returns the other names. Opens nothing: one `lstat` per file. */
export function addFiles(
  listing: ListingInProgress,
  directory: string,
  matches: (name: string) => boolean,
): readonly string[] {
  const others: string[] = [];
  for (const name of tryToRead(directory, listing, () => readdirSync(directory))) {
    if (matches(name)) addFile(listing, `${directory}${sep}${name}`);
    else others.push(name);
  }
  return others;
}

/** A missing directory is empty; one that cannot be read is a problem. */
function tryToRead(
  directory: string,
  { problems }: ListingInProgress,
  read: () => readonly string[],
): readonly string[] {
  try {
    return read();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) problems.push(unreadable(directory, error));
    return [];
  }
}

function addFile({ files, problems }: ListingInProgress, path: string): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Removed since it was listed.
    if (stats === undefined) return;
    if (stats.isFile()) files.push({ path, mtimeMs: Math.round(stats.mtimeMs), size: stats.size });
    else
      problems.push({
        code: "SOURCE_SKIPPED",
        path,
        message: `${path}: skipped because it is not a regular file`,
      });
  } catch (error) {
    problems.push(unreadable(path, error));
  }
}

function unreadable(path: string, error: unknown): PipelineNotice {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const message = `${path}: cannot be read (${code}); check its permissions`;
  return { code: "SOURCE_UNREADABLE", path, message };
}

/** Reads the beginning of a transcript to see whether it is a session of the project. */
async function identifyFile(
  path: string,
  { format, idOf, belongsToProject }: TranscriptSourceInput,
): Promise<IdentifiedFile> {
  try {
    const facts = await identifyTranscript({ path, format });
    if (facts.isSubAgent || !belongsToProject(facts)) return { kind: "other-project" };
    return { kind: (await isOptedOut({ path, format })) ? "opted-out" : "session", id: idOf(path) };
  } catch (error) {
    if (!isSessionsError(error)) throw error;
    return { kind: "unreadable", message: error.message };
  }
}
