import { utf8Bytes } from "@caliban/common";
import type { SessionMessage } from "@caliban/sessions";
import { type FinishedTurns, finishTurns } from "./finish-turns.ts";
import type { FindSecrets } from "./redact-pieces.ts";
import { keptOf } from "./scanned-piece.ts";
import { shedTurns } from "./shed-turns.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";
import { type DraftContext, draftTurns, type TurnDraft } from "./turn-draft.ts";

/** What was said in a session, as far as a transcript has room for it. */
export interface CollectedTranscript {
  readonly turns: readonly TranscriptTurn[];
  /** How many turns in the middle are left out already. */
  readonly omittedTurns: number;
  /** Of those that are there. */
  readonly redactedSecrets: number;
}

/** Takes the messages of a session one after the other. */
export interface TurnCollector {
  /** To be awaited before the next one. */
  readonly add: (message: SessionMessage) => Promise<void>;
  readonly finish: () => Promise<CollectedTranscript>;
}

export interface TurnCollectorInput {
  readonly findSecrets: FindSecrets;
  /** Is given everything that turns are made of, in order and whole: two sessions with the same content are the same. */
  readonly onContent: (content: string) => void;
  /** The size of the transcript that is made of it. Up to four times as much is held. */
  readonly maxBytes: number;
  /** Directories that hold memory, whatever their names; results that come from there are left out. */
  readonly memoryHomes?: readonly string[];
}

interface HeldDraft {
  readonly draft: TurnDraft;
  /** Of what is kept of it, about. */
  readonly bytes: number;
  readonly omittedBefore: number;
}

/** Each scan has a fixed cost, so that many turns are scanned at once. */
const CHARS_PER_SCAN = 262_144;
const BYTES_PER_TURN = 16;
const MOST_HELD = 4;
const HELD_AFTERWARDS = 2;
/** What is scanned in the end: some more than fits, because nobody has measured it exactly yet. */
const SCANNED = 1.25;

/**
 * Makes turns of messages in bounded memory: without secrets, and without what is memory already. Scans nothing before
 * it has seen all, because most of a long session is left out.
 */
export function createTurnCollector(input: TurnCollectorInput): TurnCollector {
  const { findSecrets, maxBytes } = input;
  const context: DraftContext = {
    standIns: new Map(),
    memoryHomes: input.memoryHomes ?? [],
    maxTextChars: Math.max(1, maxBytes),
    onContent: input.onContent,
  };
  let held: readonly HeldDraft[] = [];
  let added: HeldDraft[] = [];
  let heldBytes = 0;
  let seenTurns = 0;
  /** Turns at the end of what was held that are left out already: the next one stands after them. */
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
      if (heldBytes > MOST_HELD * maxBytes) shedTo(HELD_AFTERWARDS);
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
  // No turn gets more than half of a transcript.
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
