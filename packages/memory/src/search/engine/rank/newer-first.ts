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
  /** By which share of its own score a hit is lifted at most. */
  readonly maxLift: number;
}

/**
 * Moves a newer hit ahead of older ones about the same subject whose score is at most `maxLift` higher. It gets the score
 * of the best of them and no more, so that it overtakes no clearly better hit.
 */
export function newerFirst(hits: readonly Scored[], input: NewerFirstInput): readonly Lifted[] {
  const times = hits.map(({ document }) => input.timeOf(document));
  const ranked = hits.map((hit, at) => {
    const overtaken = overtakenBy(at, { hits, times, input });
    const score = overtaken?.score ?? hit.score;
    const lifted: Lifted = { ...hit, score, lift: score - hit.score };
    return { lifted, isLifted: overtaken !== undefined, time: times[at] ?? 0 };
  });
  if (ranked.every(({ isLifted }) => !isLifted)) return ranked.map(({ lifted }) => lifted);
  return ranked
    .toSorted(
      (one, other) =>
        other.lifted.score - one.lifted.score ||
        Number(other.isLifted) - Number(one.isLifted) ||
        (one.isLifted ? other.time - one.time : 0),
    )
    .map(({ lifted }) => lifted);
}

interface AllHits {
  /** Best first. */
  readonly hits: readonly Scored[];
  readonly times: readonly (number | undefined)[];
  readonly input: NewerFirstInput;
}

/** The best hit that a newer one overtakes, if any. */
function overtakenBy(at: number, { hits, times, input }: AllHits): Scored | undefined {
  const [hit, time] = [hits[at], times[at]];
  if (hit === undefined || time === undefined) return undefined;
  return hits.slice(0, at).find((other, above) => {
    const age = time - (times[above] ?? Infinity);
    return (
      age > 0 &&
      other.score <= hit.score * (1 + input.maxLift) &&
      age >= input.minGapMs(hit.document, other.document) &&
      input.isSameSubject(hit.document, other.document)
    );
  });
}
