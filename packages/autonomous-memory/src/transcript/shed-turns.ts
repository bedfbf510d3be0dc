import type { TranscriptTurn } from "./transcript-turn.ts";

/** What is dropped first when a transcript is too long: user messages stay longest. */
const SHED_KINDS: readonly TranscriptTurn["kind"][] = ["result", "call", "assistant", "user"];

/** One item of a transcript: a turn, or a gap where turns were omitted before. */
export interface TranscriptItem {
  /** `undefined` for a gap. */
  readonly kind: TranscriptTurn["kind"] | undefined;
  readonly bytes: number;
}

/** How much may be kept. */
export interface ShedLimits {
  readonly maxBytes: number;
  /** The maximum size of the line that marks a gap. */
  readonly gapBytes: number;
}

/** Decides for each item whether it is kept. Within a kind, turns in the middle are dropped before those at the ends. */
export function shedTurns(
  items: readonly TranscriptItem[],
  { maxBytes, gapBytes }: ShedLimits,
): readonly boolean[] {
  const stays = items.map(({ kind }) => kind !== undefined);
  let bytes = items.reduce((sum, { bytes: own }) => sum + own, 0);
  bytes += gapBytes * countRuns(stays);
  for (const index of sheddingOrder(items)) {
    if (bytes <= maxBytes) break;
    stays[index] = false;
    const adjacentGaps = Number(stays[index - 1] === false) + Number(stays[index + 1] === false);
    bytes += gapBytes * (1 - adjacentGaps) - (items[index]?.bytes ?? 0);
  }
  return stays;
}

function countRuns(stays: readonly boolean[]): number {
  return stays.filter((isKept, index) => !isKept && stays[index - 1] !== false).length;
}

function sheddingOrder(items: readonly TranscriptItem[]): readonly number[] {
  const byKind = new Map(SHED_KINDS.map((kind) => [kind, [] as number[]]));
  for (let step = 0; step < items.length; step++) {
    const index = fromTheMiddle(step, items.length);
    const kind = items[index]?.kind;
    if (kind !== undefined) byKind.get(kind)?.push(index);
  }
  return [...byKind.values()].flat();
}

/** The middle, then one after it, one before it, and so on to both ends. */
function fromTheMiddle(step: number, length: number): number {
  const middle = (length - 1) >> 1;
  return step % 2 === 1 ? middle + (step + 1) / 2 : middle - step / 2;
}
