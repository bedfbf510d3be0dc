import type { PreviousRead, ReadEntry } from "@caliban/memory/search";
import {
  parseTranscriptPosition,
  type SpokenTurn,
  type TranscriptPosition,
} from "@caliban/sessions";
import { type StreamedTurns, streamTurns } from "@caliban/sessions/node";
import type { SessionOmissions } from "./omissions.ts";
import { parseCursor } from "./parse-cursor.ts";
import { sessionDocuments } from "./session-documents.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { Transcript } from "./transcripts.ts";

/** The documents of a session, and what is not among them. */
export interface ReadSession {
  readonly entry: ReadEntry;
  readonly leftOut: SessionOmissions;
}

const NOTHING: ReadEntry = { change: "replace", documents: [], cursor: "" };

/**
 * Reads a session, or what was said since it was last read. What is known of it stays only where the file has grown and
 * the same was learned from it.
 * @throws SessionsError
 */
export async function readTranscript(
  transcript: Transcript,
  around: SurroundingsOfSession,
): Promise<ReadSession> {
  const identified = await transcript.identify?.();
  if (identified?.kind === "opted-out") return nothing({ isOptedOut: true });
  if (identified !== undefined && identified.kind !== "session")
    return nothing({ isOptedOut: false });
  const kept = memoOf(around);
  const read = await allTurns(transcript, kept?.position);
  if (read.facts.optedOut) return nothing({ isOptedOut: true });
  const isAdded = kept !== undefined && read.beganAt > 0;
  // What was left out before stays left out when the session goes on.
  const longLines = (isAdded ? kept.longLines : 0) + read.facts.skipped.longLines;
  const entry = isAdded
    ? await entryOf(transcript, read, {
        turnsBefore: kept.turns,
        sign: kept.learned,
        longLines,
      })
    : await entryOf(transcript, read, { turnsBefore: 0, longLines, ...around });
  return {
    entry: { ...entry, change: isAdded ? "add" : "replace" },
    leftOut: { isOptedOut: false, longLines },
  };
}

/** What there is besides the file. */
interface SurroundingsOfSession {
  /** How it was when it was last read. */
  readonly before?: PreviousRead | undefined;
  /** What was learned from it. */
  readonly learned?: SessionFacts | undefined;
}

function nothing({ isOptedOut }: { readonly isOptedOut: boolean }): ReadSession {
  return { entry: NOTHING, leftOut: { isOptedOut, longLines: 0 } };
}

async function entryOf(
  { key, updatedMs }: Transcript,
  { turns, position }: Pick<ReadTurns, "turns" | "position">,
  { turnsBefore, longLines, learned, sign = learned?.fingerprint ?? "" }: EntryBeginning,
): Promise<Omit<ReadEntry, "change">> {
  const documents = await sessionDocuments({ key, updatedMs, turns, turnsBefore, learned });
  const memo: Memo = { position, turns: turnsBefore + turns.length, longLines, learned: sign };
  return { documents, cursor: JSON.stringify(memo) };
}

interface EntryBeginning {
  readonly turnsBefore: number;
  /** In all of the session so far. */
  readonly longLines: number;
  readonly learned?: SessionFacts | undefined;
  /** Of what was learned. */
  readonly sign?: string;
}

/** How a session was when it was last read. */
interface Memo {
  readonly position: TranscriptPosition;
  readonly turns: number;
  readonly longLines: number;
  /** The sign of what was learned from it. */
  readonly learned: string;
}

/** `undefined` where the session is to be read from its beginning. */
function memoOf({ before, learned }: SurroundingsOfSession): Memo | undefined {
  const { position: kept, turns, longLines, learned: sign } = parseCursor(before?.cursor);
  const position = parseTranscriptPosition(kept);
  if (position === undefined || typeof turns !== "number" || typeof longLines !== "number")
    return undefined;
  return sign === (learned?.fingerprint ?? "")
    ? { position, turns, longLines, learned: sign }
    : undefined;
}

interface ReadTurns extends StreamedTurns {
  readonly turns: readonly SpokenTurn[];
}

async function allTurns(
  { path, format }: Transcript,
  from: TranscriptPosition | undefined,
): Promise<ReadTurns> {
  const stream = streamTurns({ path, format, from });
  const turns: SpokenTurn[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- what comes next stands behind it
    const { done, value } = await stream.next();
    if (done === true) return { ...value, turns };
    for (const turn of value) turns.push(turn);
  }
}
