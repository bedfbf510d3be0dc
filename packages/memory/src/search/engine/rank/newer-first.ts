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
  const compared = hits.slice(0, MAX_COMPARED);
  const times = compared.map(({ document }) => input.timeOf(document));
  if (times.every((time) => time === times[0])) return hits.map(notLifted);
  const ranked: Dated[] = [];
  for (const [at, hit] of compared.entries()) {
    const dated = { hit, time: times[at], score: hit.score };
    const above = ranked.findIndex((other) => overtakes(dated, other, input));
    const score = ranked[above]?.score ?? hit.score;
    ranked.splice(above === -1 ? ranked.length : above, 0, { ...dated, score });
  }
  const lifted = ranked.map(({ hit, score }) => toLifted(hit, score));
  return [...lifted, ...hits.slice(MAX_COMPARED).map(notLifted)];
}

/** A hit as it was ranked by its score. */
export function notLifted(hit: Scored): Lifted {
  return toLifted(hit, hit.score);
}

export function toLifted({ document, words, score: own }: Scored, score: number): Lifted {
  return { document, words, score, lift: score - own };
}

interface Dated {
  readonly hit: Scored;
  readonly time: number | undefined;
  /** Including the lift. */
  readonly score: number;
}

function overtakes(
  { hit: { document, score }, time = -Infinity }: Dated,
  other: Dated,
  { minGapMs, maxLift, isSameSubject }: NewerFirstInput,
): boolean {
  const gapMs = time - (other.time ?? Infinity);
  return (
    gapMs > 0 &&
    other.score <= score * (1 + maxLift(document)) &&
    gapMs >= minGapMs(document, other.hit.document) &&
    isSameSubject(document, other.hit.document)
  );
}
