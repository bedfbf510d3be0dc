import type { Scored } from "./top-list.ts";

/** A hit that may be lifted because it is newer than a similar one. */
export interface Lifted extends Scored {
  /** How much of the score it owes to its time; 0 for most. */
  readonly lift: number;
}

export interface NewerFirstInput {
  /** When a hit was written; `undefined` if that is not known. */
  readonly timeOf: (document: number) => number | undefined;
  /** Whether the newer hit is about the subject of the older one. */
  readonly isSameSubject: (newer: number, older: number) => boolean;
  /** The least difference of the times of two hits that counts. */
  readonly minGapMs: (one: number, other: number) => number;
  /** By which share of its own score this hit is lifted at most. */
  readonly maxLift: (document: number) => number;
}

/** Farther down, the order matters little. */
const MAX_COMPARED = 32;

/**
 * Moves a newer hit ahead of older ones about the same subject whose score is at most `maxLift` of its own higher. It
 * gets the score of the best of them and no more, so that it overtakes no clearly better hit.
 */
export function newerFirst(hits: readonly Scored[], input: NewerFirstInput): readonly Lifted[] {
  const ranked: (Lifted & { readonly time: number | undefined })[] = [];
  for (const hit of hits.slice(0, MAX_COMPARED)) {
    const time = input.timeOf(hit.document);
    const above =
      time === undefined
        ? -1
        : ranked.findIndex((other) => overtakes({ ...hit, time }, other, input));
    const score = ranked[above]?.score ?? hit.score;
    const lifted = { ...hit, score, lift: score - hit.score, time };
    ranked.splice(above === -1 ? ranked.length : above, 0, lifted);
  }
  return [
    ...ranked.map(({ time: _, ...hit }) => hit),
    ...hits.slice(MAX_COMPARED).map((hit) => ({ ...hit, lift: 0 })),
  ];
}

function overtakes(
  hit: Scored & { readonly time: number },
  other: Scored & { readonly time: number | undefined },
  { minGapMs, maxLift, isSameSubject }: NewerFirstInput,
): boolean {
  const gapMs = hit.time - (other.time ?? Infinity);
  return (
    gapMs > 0 &&
    other.score <= hit.score * (1 + maxLift(hit.document)) &&
    gapMs >= minGapMs(hit.document, other.document) &&
    isSameSubject(hit.document, other.document)
  );
}
