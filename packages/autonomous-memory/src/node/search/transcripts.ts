import { SessionsError, isSessionsError, type TranscriptFormat } from "@caliban/sessions";
import { type SessionFile, sessionFiles } from "@caliban/sessions/node";
import type { IdentifiedFile } from "../../transcript/session-source.ts";
import type { SessionSourcesInput } from "../sources/session-sources.ts";

/** A stored session that was not read yet. */
export interface Transcript {
  /** Unique over all agents. */
  readonly key: string;
  readonly path: string;
  readonly format: TranscriptFormat;
  readonly fingerprint: string;
  readonly updatedMs: number;
  /** Tells whether the session belongs to this project. Absent for caliban's own, which do. */
  readonly identify?: (() => Promise<IdentifiedFile>) | undefined;
}

/** Caliban's own sessions are listed even if `sources` does not contain them. */
export type TranscriptsInput = SessionSourcesInput;

export interface TranscriptListing {
  readonly transcripts: readonly Transcript[];
  /** Directories that could not be read, as messages. */
  readonly problems: readonly string[];
}

/**
 * Lists the sessions of a project by the name, size and time of their files.
 * @throws SessionsError `UNREADABLE` when the directory of caliban's own sessions cannot be read
 */
export async function listTranscripts(input: TranscriptsInput): Promise<TranscriptListing> {
  const own = listOwnFiles(input.sessionsDirectory).map(
    ({ id: key, path, fingerprint, updatedMs }): Transcript => ({
      key,
      path,
      format: "caliban",
      fingerprint,
      updatedMs,
    }),
  );
  if (!input.sources.some((source) => source !== "caliban"))
    return { transcripts: own, problems: [] };
  const { listOtherTranscripts } = await import("./other-transcripts.ts");
  const others = await listOtherTranscripts(input);
  return { ...others, transcripts: [...own, ...others.transcripts] };
}

/** Models see the message as well, so it does not contain the path. */
function listOwnFiles(directory: string): readonly SessionFile[] {
  try {
    return sessionFiles(directory);
  } catch (error) {
    if (!isSessionsError(error)) throw error;
    const message = error.message.replaceAll(directory, "their directory");
    throw new SessionsError(error.code, message, { cause: error });
  }
}
