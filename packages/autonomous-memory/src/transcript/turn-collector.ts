import { utf8Bytes } from "@caliban/common";
import type { SessionMessage } from "@caliban/sessions";
import { finishTurns } from "./finish-turns.ts";
import type { FindSecrets } from "./redact-pieces.ts";
import { shedTurns } from "./shed-turns.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";
import { type DraftContext, draftTurns, type TurnDraft } from "./turn-draft.ts";

/** What was said in a session, as far as it is held. */
export interface CollectedTranscript {
  readonly turns: readonly TranscriptTurn[];
  /** Turns in the middle that are not held. */
  readonly omittedTurns: number;
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

interface HeldTurn {
  readonly turn: TranscriptTurn;
  readonly bytes: number;
}

/** Each scan has a fixed cost, so that many turns are scanned at once. */
const CHARS_PER_SCAN = 131_072;
const BYTES_PER_TURN = 32;
const MOST_HELD = 4;
const HELD_AFTERWARDS = 2;

/** Makes turns of messages in bounded memory: without secrets, and without what is memory already. */
export function createTurnCollector(input: TurnCollectorInput): TurnCollector {
  const { findSecrets, maxBytes } = input;
  const context: DraftContext = {
    memoryCalls: new Set(),
    memoryHomes: input.memoryHomes ?? [],
    maxTextChars: Math.max(1, maxBytes),
    onContent: input.onContent,
  };
  let drafts: TurnDraft[] = [];
  let draftedChars = 0;
  let held: readonly HeldTurn[] = [];
  let heldBytes = 0;
  let omittedTurns = 0;
  let redactedSecrets = 0;

  const scan = async (): Promise<void> => {
    const finished = await finishTurns(drafts, findSecrets);
    drafts = [];
    draftedChars = 0;
    redactedSecrets += finished.redactedSecrets;
    held = [...held, ...finished.turns.map(measured)];
    heldBytes = totalBytes(held);
    if (heldBytes <= MOST_HELD * maxBytes) return;
    const before = held.length;
    held = shed(held, HELD_AFTERWARDS * maxBytes);
    heldBytes = totalBytes(held);
    omittedTurns += before - held.length;
  };
  return {
    add: async (message) => {
      for (const draft of draftTurns(message, context)) {
        drafts.push(draft);
        draftedChars += draft.pieces.reduce((sum, { text }) => sum + text.length, BYTES_PER_TURN);
      }
      if (draftedChars >= CHARS_PER_SCAN) await scan();
    },
    finish: async () => {
      await scan();
      return { turns: held.map(({ turn }) => turn), omittedTurns, redactedSecrets };
    },
  };
}

function measured(turn: TranscriptTurn): HeldTurn {
  return { turn, bytes: utf8Bytes(turn.text) + BYTES_PER_TURN };
}

function totalBytes(held: readonly HeldTurn[]): number {
  return held.reduce((sum, { bytes }) => sum + bytes, 0);
}

function shed(held: readonly HeldTurn[], maxBytes: number): readonly HeldTurn[] {
  const items = held.map(({ turn, bytes }) => ({ kind: turn.kind, bytes }));
  const stays = shedTurns(items, { maxBytes, gapBytes: BYTES_PER_TURN });
  const kept: HeldTurn[] = [];
  let omitted = 0;
  for (const [index, { turn, bytes }] of held.entries()) {
    omitted += turn.omittedBefore ?? 0;
    if (stays[index] !== true) {
      omitted += 1;
      continue;
    }
    kept.push(
      omitted === 0 ? { turn, bytes } : { turn: { ...turn, omittedBefore: omitted }, bytes },
    );
    omitted = 0;
  }
  return kept;
}
