import {
  parseTranscriptPosition,
  type StreamedTurn,
  type TranscriptPosition,
} from "@caliban/sessions";
import { type StreamedTurns, streamTurns } from "@caliban/sessions/node";
import type { PreviousRead, ReadEntry, SearchTerms } from "./document-source.ts";
import type { SessionOmissions } from "./omissions.ts";
import { parseCursor } from "./parse-cursor.ts";
import { sessionDocuments } from "./session-documents.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { Transcript } from "./transcripts.ts";

/** The documents of a session, and what was left out. */
export interface ReadSession {
  readonly entry: ReadEntry;
  readonly omissions: SessionOmissions;
}

export interface ReadTranscriptInput {
  readonly before?: PreviousRead | undefined;
  /** What was learned from the session. */
  readonly learned?: SessionFacts | undefined;
  readonly searchTerms: SearchTerms;
}

const NOTHING: ReadEntry = { change: "replace", documents: [], cursor: "" };

/**
 * Reads a session, or only what was added since the last read, if the file has grown and nothing else was learned from
 * it since.
 * @throws SessionsError
 */
export async function readTranscript(
  transcript: Transcript,
  input: ReadTranscriptInput,
): Promise<ReadSession> {
  const identified = await transcript.identify?.();
  if (identified?.kind === "opted-out") return nothing({ isOptedOut: true });
  if (identified !== undefined && identified.kind !== "session")
    return nothing({ isOptedOut: false });
  const known = toCursor(input);
  const read = await readTurns(transcript, known?.position);
  if (read.facts.optedOut) return nothing({ isOptedOut: true });
  const isAdded = known !== undefined && read.beganAt > 0;
  // Lines that were left out before stay left out when the session continues.
  const longLines = (isAdded ? known.longLines : 0) + read.facts.skipped.longLines;
  const entry = isAdded
    ? await createEntry(transcript, read, {
        searchTerms: input.searchTerms,
        turnsBefore: known.turns,
        fingerprint: known.learned,
        longLines,
      })
    : await createEntry(transcript, read, { turnsBefore: 0, longLines, ...input });
  return {
    entry: { ...entry, change: isAdded ? "add" : "replace" },
    omissions: { isOptedOut: false, longLines },
  };
}

function nothing({ isOptedOut }: { readonly isOptedOut: boolean }): ReadSession {
  return { entry: NOTHING, omissions: { isOptedOut, longLines: 0 } };
}

interface EntryInput {
  readonly turnsBefore: number;
  /** In the whole session so far. */
  readonly longLines: number;
  readonly learned?: SessionFacts | undefined;
  /** Of what was learned. */
  readonly fingerprint?: string;
  readonly searchTerms: SearchTerms;
}

async function createEntry(
  { key, updatedMs }: Transcript,
  { turns, position }: Pick<ReadTurns, "turns" | "position">,
  input: EntryInput,
): Promise<Omit<ReadEntry, "change">> {
  const { turnsBefore, longLines, learned, searchTerms } = input;
  const { fingerprint = learned?.fingerprint ?? "" } = input;
  const documents = await sessionDocuments({
    key,
    updatedMs,
    turns,
    turnsBefore,
    learned,
    searchTerms,
  });
  const cursor: Cursor = {
    position,
    turns: turnsBefore + turns.length,
    longLines,
    learned: fingerprint,
  };
  return { documents, cursor: JSON.stringify(cursor) };
}

/** The state of a session after it was read. */
interface Cursor {
  readonly position: TranscriptPosition;
  readonly turns: number;
  readonly longLines: number;
  /** The fingerprint of what was learned from it. */
  readonly learned: string;
}

/** `undefined` when the session must be read from the start. */
function toCursor({ before, learned }: ReadTranscriptInput): Cursor | undefined {
  const fields = parseCursor(before?.cursor);
  const { turns, longLines, learned: fingerprint } = fields;
  const position = parseTranscriptPosition(fields["position"]);
  if (position === undefined || typeof turns !== "number" || typeof longLines !== "number")
    return undefined;
  if (fingerprint !== (learned?.fingerprint ?? "")) return undefined;
  return { position, turns, longLines, learned: fingerprint };
}

interface ReadTurns extends StreamedTurns {
  readonly turns: readonly StreamedTurn[];
}

async function readTurns(
  { path, format }: Transcript,
  from: TranscriptPosition | undefined,
): Promise<ReadTurns> {
  const stream = streamTurns({ path, format, from });
  const turns: StreamedTurn[] = [];
  for (;;) {
    const { done, value } = await stream.next();
    if (done === true) return { ...value, turns };
    for (const turn of value) turns.push(turn);
  }
}
