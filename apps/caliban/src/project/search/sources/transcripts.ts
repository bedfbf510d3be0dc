import type { IdentifiedFile } from "@caliban/autonomous-memory";
import type { Environment } from "@caliban/common";
import type { Workspace } from "@caliban/memory/node";
import { SessionsError, type TranscriptFormat } from "@caliban/sessions";
import { type SessionFile, sessionFiles } from "@caliban/sessions/node";

/** A stored session, with nothing read of it. */
export interface Transcript {
  /** Unique over all agents. */
  readonly key: string;
  readonly path: string;
  readonly format: TranscriptFormat;
  readonly fingerprint: string;
  readonly updatedMs: number;
  /** Whether it is of this project at all; left out for our own, which are. */
  readonly identify?: (() => Promise<IdentifiedFile>) | undefined;
}

export interface TranscriptsInput {
  /** Where our own sessions of the project are kept. */
  readonly directory: string;
  /** Whose sessions the person lets us read; our own are read in any case. */
  readonly sources: readonly TranscriptFormat[];
  readonly env: Environment;
  readonly home: string | undefined;
  readonly workspace: Workspace;
}

export interface TranscriptListing {
  readonly transcripts: readonly Transcript[];
  /** Places that could not be looked at, as sentences. */
  readonly problems: readonly string[];
}

/**
 * Lists the sessions of a project; of none more is looked at than its name, size and time.
 * @throws SessionsError `UNREADABLE` when the directory of our own cannot be read
 */
export async function listTranscripts(input: TranscriptsInput): Promise<TranscriptListing> {
  const own = filesIn(input.directory).map(({ id: key, path, sign, updatedMs }): Transcript => ({
    key,
    path,
    format: "caliban",
    fingerprint: sign,
    updatedMs,
  }));
  if (!input.sources.some((source) => source !== "caliban"))
    return { transcripts: own, problems: [] };
  const { listOtherTranscripts } = await import("./other-transcripts.ts");
  const others = await listOtherTranscripts(input);
  return { ...others, transcripts: [...own, ...others.transcripts] };
}

/** What stands in the way is told a model as well, so it is told without the path. */
function filesIn(directory: string): readonly SessionFile[] {
  try {
    return sessionFiles(directory);
  } catch (error) {
    if (!(error instanceof SessionsError)) throw error;
    const why = error.message.replaceAll(directory, "their directory");
    throw new SessionsError(error.code, why, { cause: error });
  }
}
