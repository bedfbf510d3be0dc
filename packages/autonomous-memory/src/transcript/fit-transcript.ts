import { bytesOfTokens, utf8Bytes } from "@caliban/common";
import { headingOf, renderGap, renderTurn } from "./render-turn.ts";
import { shedTurns, type TranscriptItem } from "./shed-turns.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";

/** A transcript as text, and how many of the given turns are not in it. */
export interface FittedTranscript {
  readonly text: string;
  readonly droppedTurns: number;
}

interface Block extends TranscriptItem {
  readonly text: string;
  /** Characters of the heading and what parts it from what was said. */
  readonly headingLength: number;
  /** Turns that it stands for when it does not stay. */
  readonly turns: number;
}

const CUT_MARK = "\n[the rest of this turn is left out]";
/** Below so many bytes, half of them hold no turn. */
const SMALLEST_SHARE = 256;

/**
 * Turns as role-tagged text of at most so many tokens. Over the limit whole turns are left out, results and calls
 * first, the person's words last, from the middle; a gap is said. One turn gets at most half of the room and is cut
 * at its end.
 */
export function fitTranscript(
  turns: readonly TranscriptTurn[],
  maxTokens: number,
): FittedTranscript {
  const maxBytes = Math.max(0, Math.floor(bytesOfTokens(maxTokens)));
  const blocks = turns.flatMap(blocksOf);
  const allTurns = blocks.reduce((sum, { turns: own }) => sum + own, 0);
  const gapBytes = renderGap(allTurns).length + 2;
  const limits = { maxBytes, gapBytes };
  const whole = joined(blocks, shedTurns(blocks, { maxBytes: Infinity, gapBytes }));
  if (utf8Bytes(whole) <= maxBytes) return { text: whole, droppedTurns: 0 };
  const share = Math.max(Math.floor(maxBytes / 2), Math.min(maxBytes, SMALLEST_SHARE));
  const cut = blocks.map((block) => (block.bytes <= share ? block : cutBlock(block, share)));
  const stays = shedTurns(cut, limits);
  const text = joined(cut, stays);
  return {
    // Not even the line fits that says how many are left out.
    text: utf8Bytes(text) <= maxBytes ? text : "",
    droppedTurns: cut.filter(({ kind }, index) => kind !== undefined && stays[index] !== true)
      .length,
  };
}

function blocksOf(turn: TranscriptTurn): readonly Block[] {
  const text = renderTurn(turn);
  const headingLength = headingOf(turn).length + 1;
  const block = { kind: turn.kind, text, headingLength, bytes: utf8Bytes(text) + 1, turns: 1 };
  const { omittedBefore = 0 } = turn;
  if (omittedBefore <= 0) return [block];
  return [{ kind: undefined, text: "", headingLength: 0, bytes: 0, turns: omittedBefore }, block];
}

function cutBlock(block: Block, maxBytes: number): Block {
  const room = new Uint8Array(Math.max(0, maxBytes - CUT_MARK.length - 1));
  // Stops before a character that does not fit, so that none is cut in half.
  const { read } = new TextEncoder().encodeInto(block.text, room);
  // Too small for more than a heading: it stays as it is and goes as a whole.
  if (read <= block.headingLength) return block;
  const text = `${block.text.slice(0, read).trimEnd()}${CUT_MARK}`;
  return { ...block, text, bytes: utf8Bytes(text) + 1 };
}

function joined(blocks: readonly Block[], stays: readonly boolean[]): string {
  const lines: string[] = [];
  let leftOut = 0;
  for (const [index, block] of blocks.entries()) {
    if (stays[index] !== true) {
      leftOut += block.turns;
      continue;
    }
    if (leftOut > 0) lines.push(renderGap(leftOut));
    leftOut = 0;
    lines.push(block.text);
  }
  if (leftOut > 0) lines.push(renderGap(leftOut));
  return lines.join("\n");
}
