import { utf8Bytes } from "@caliban/common";
import type { SessionMessage } from "@caliban/sessions";
import { type FinishedTurns, finishTurns } from "./finish-turns.ts";
import type { FindSecrets } from "./redact-pieces.ts";
import { keptOf } from "./scanned-piece.ts";
import { shedTurns } from "./shed-turns.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";
import { type DraftContext, draftTurns, type TurnDraft } from "./draft-turns.ts";

/** The turns of a session that may fit into a transcript. */
export interface CollectedTranscript {
  readonly turns: readonly TranscriptTurn[];
  /** How many turns were already omitted from the middle. */
  readonly omittedTurns: number;
  /** In the kept turns. */
  readonly redactedSecrets: number;
}

/** Receives the messages of a session one by one. */
export interface TurnCollector {
  /** Await it before adding the next message. */
  readonly add: (message: SessionMessage) => Promise<void>;
  readonly finish: () => Promise<CollectedTranscript>;
}

export interface TurnCollectorInput {
  readonly findSecrets: FindSecrets;
  /** Receives the complete content of all turns in order: sessions with the same content are the same. */
  readonly onContent: (content: string) => void;
  /** The size of the transcript to render. Up to four times as much is held in memory. */
  readonly maxBytes: number;
  /** Directories that contain memory, whatever their names; results from there are omitted. */
  readonly memoryDirectories?: readonly string[];
}

interface HeldDraft {
  readonly draft: TurnDraft;
  /** The approximate size of the kept text. */
  readonly bytes: number;
  readonly omittedBefore: number;
}

/** Each scan has a fixed cost, so many turns are scanned at once. */
const CHARS_PER_SCAN = 262_144;
const BYTES_PER_TURN = 16;
const MAX_HELD = 4;
const HELD_AFTERWARDS = 2;
/** The share that is scanned at the end: somewhat more than fits, because the sizes are only estimates so far. */
const SCANNED = 1.25;

/**
 * Turns messages into redacted turns without existing memory, in bounded space. Scans nothing before the end, because most
 * of a long session is dropped.
 */
export function createTurnCollector(input: TurnCollectorInput): TurnCollector {
  const { findSecrets, maxBytes } = input;
  const context: DraftContext = {
    placeholders: new Map(),
    memoryDirectories: input.memoryDirectories ?? [],
    maxTextChars: Math.max(1, maxBytes),
    onContent: input.onContent,
  };
  let held: readonly HeldDraft[] = [];
  let added: HeldDraft[] = [];
  let heldBytes = 0;
  let seenTurns = 0;
  /** Omitted turns at the end of the held ones, which precede the next turn. */
  let omittedLast = 0;

  const shedTo = (shares: number): void => {
    const left = shed([...held, ...added], shares * maxBytes, maxBytes);
    held = left.held;
    omittedLast += left.omittedLast;
    added = [];
    heldBytes = held.reduce((sum, { bytes }) => sum + bytes, 0);
  };
  return {
    add: async (message) => {
      for (const draft of draftTurns(message, context)) {
        const bytes = bytesOf(draft);
        added.push({ draft, bytes, omittedBefore: omittedLast });
        omittedLast = 0;
        heldBytes += bytes;
        seenTurns += 1;
      }
      if (heldBytes > MAX_HELD * maxBytes) shedTo(HELD_AFTERWARDS);
    },
    finish: async () => {
      shedTo(SCANNED);
      const { turns, redactedSecrets } = await finishInBatches(held, findSecrets);
      return { turns, omittedTurns: seenTurns - turns.length, redactedSecrets };
    },
  };
}

function bytesOf({ pieces }: TurnDraft): number {
  return pieces.reduce((sum, piece) => {
    const { head, tail } = keptOf(piece);
    return sum + utf8Bytes(head) + utf8Bytes(tail);
  }, BYTES_PER_TURN);
}

function shed(
  held: readonly HeldDraft[],
  maxBytes: number,
  transcriptBytes: number,
): { readonly held: readonly HeldDraft[]; readonly omittedLast: number } {
  // A single turn gets at most half of a transcript.
  const items = held.map(({ draft, bytes }) => ({
    kind: draft.turn.kind,
    bytes: Math.min(bytes, Math.ceil(transcriptBytes / 2)),
  }));
  const stays = shedTurns(items, { maxBytes, gapBytes: BYTES_PER_TURN });
  const kept: HeldDraft[] = [];
  let omittedBefore = 0;
  for (const [index, item] of held.entries()) {
    omittedBefore += item.omittedBefore;
    if (stays[index] === true) {
      kept.push({ ...item, omittedBefore });
      omittedBefore = 0;
    } else omittedBefore += 1;
  }
  return { held: kept, omittedLast: omittedBefore };
}

async function finishInBatches(
  held: readonly HeldDraft[],
  findSecrets: FindSecrets,
): Promise<FinishedTurns> {
  const finished = await Promise.all(
    batchesOf(held).map((batch) => finishTurns(batch, findSecrets)),
  );
  const turns = finished.flatMap((batch) => batch.turns);
  return {
    turns: turns.map((turn, index) => withGap(turn, held[index]?.omittedBefore ?? 0)),
    redactedSecrets: finished.reduce((sum, batch) => sum + batch.redactedSecrets, 0),
  };
}

function batchesOf(held: readonly HeldDraft[]): readonly (readonly TurnDraft[])[] {
  const batches: TurnDraft[][] = [];
  let room = 0;
  for (const { draft } of held) {
    if (room <= 0) {
      batches.push([]);
      room = CHARS_PER_SCAN;
    }
    batches.at(-1)?.push(draft);
    room -= draft.pieces.reduce((sum, { text }) => sum + text.length, 0);
  }
  return batches;
}

function withGap(turn: TranscriptTurn, omittedBefore: number): TranscriptTurn {
  return omittedBefore === 0 ? turn : { ...turn, omittedBefore };
}
