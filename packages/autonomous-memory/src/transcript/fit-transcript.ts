import { tokensToBytes, utf8Bytes } from "@caliban/common";
import { shedTurns, type TranscriptItem } from "./shed-turns.ts";
import type { TranscriptTurn } from "./transcript-turn.ts";
import { cleanLine } from "../text/clean-text.ts";

/** A transcript as text, and how many of the given turns are omitted. */
export interface FittedTranscript {
  readonly text: string;
  readonly droppedTurns: number;
}

interface Block extends TranscriptItem {
  readonly text: string;
  /** The length of the heading and the separator after it. */
  readonly headingLength: number;
  /** How many turns it counts for when it is dropped. */
  readonly turns: number;
}

const CUT_MARK = "\n[the rest of this turn is omitted]";
/** Half of a smaller limit does not fit any turn. */
const MIN_SHARE_BYTES = 256;

/**
 * Turns as role-tagged text with a maximum number of tokens. Over the limit, whole turns are dropped from the middle,
 * results and calls first and user messages last, and each gap is marked. A single turn gets at most half of the limit
 * and is truncated at its end.
 */
export function fitTranscript(
  turns: readonly TranscriptTurn[],
  maxTokens: number,
): FittedTranscript {
  const maxBytes = Math.max(0, Math.floor(tokensToBytes(maxTokens)));
  const blocks = turns.flatMap(blocksOf);
  const allTurns = blocks.reduce((sum, { turns: own }) => sum + own, 0);
  const gapBytes = renderGap(allTurns).length + 2;
  const limits = { maxBytes, gapBytes };
  const full = joined(blocks, shedTurns(blocks, { maxBytes: Infinity, gapBytes }));
  if (utf8Bytes(full) <= maxBytes) return { text: full, droppedTurns: 0 };
  const share = Math.max(Math.floor(maxBytes / 2), Math.min(maxBytes, MIN_SHARE_BYTES));
  const cut = blocks.map((block) => (block.bytes <= share ? block : cutBlock(block, share)));
  const stays = shedTurns(cut, limits);
  const text = joined(cut, stays);
  return {
    // Not even the line that marks the gap fits.
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
  const buffer = new Uint8Array(Math.max(0, maxBytes - CUT_MARK.length - 1));
  // encodeInto stops before a character that does not fit.
  const { read } = new TextEncoder().encodeInto(block.text, buffer);
  // There is only space for the heading: the block is kept or dropped as a whole.
  if (read <= block.headingLength) return block;
  const text = `${block.text.slice(0, read).trimEnd()}${CUT_MARK}`;
  return { ...block, text, bytes: utf8Bytes(text) + 1 };
}

function joined(blocks: readonly Block[], stays: readonly boolean[]): string {
  const lines: string[] = [];
  let omitted = 0;
  for (const [index, block] of blocks.entries()) {
    if (stays[index] !== true) {
      omitted += block.turns;
      continue;
    }
    if (omitted > 0) lines.push(renderGap(omitted));
    omitted = 0;
    lines.push(block.text);
  }
  if (omitted > 0) lines.push(renderGap(omitted));
  return lines.join("\n");
}

const MAX_TOOL_NAME_CHARS = 80;

/**
 * One turn of the transcript: a heading in the first column, and every line of the text indented by one column, so that no
 * text can pose as a heading, as another turn, or as the end of the transcript.
 */
function renderTurn(turn: TranscriptTurn): string {
  if (turn.kind === "call") return `${headingOf(turn)} ${cleanLine(turn.text)}`.trimEnd();
  return `${headingOf(turn)}\n${indent(turn.text)}`.trimEnd();
}

/** The line that replaces omitted turns. */
function renderGap(omitted: number): string {
  return `[${omitted} ${omitted === 1 ? "turn" : "turns"} omitted]`;
}

/** The start of a turn, which identifies the speaker. */
function headingOf({ kind, tool = "", isError }: TranscriptTurn): string {
  const name = cleanLine(tool).slice(0, MAX_TOOL_NAME_CHARS).toWellFormed();
  switch (kind) {
    case "user":
    case "assistant":
      return `### ${kind}`;
    case "call":
      return `### call: ${name}`;
    case "result":
      return isError === true ? `### failed result of ${name}` : `### result of ${name}`;
  }
}

function indent(text: string): string {
  return ` ${text.replaceAll(/\n(?!\n|$)/g, "\n ")}`;
}
