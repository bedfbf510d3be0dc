import { unitVector, vectorWidth } from "../segment/segment.ts";
import type { CollectionView } from "./collection-view.ts";
import { type SearchOptions, DEFAULT_SEARCH_LIMIT } from "../results.ts";

/** A document's number and what it is worth. */
export interface Scored {
  readonly document: number;
  readonly score: number;
}

/** Keeps the best few of many. Of two that are worth the same, the one that came first stays first. */
export interface TopList {
  /** What one must be worth more than to be looked at. */
  readonly bar: () => number;
  readonly offer: (document: number, score: number) => void;
  /** Best first. */
  readonly all: () => readonly Scored[];
}

/** Up to here it is faster to keep them in order than to sort them in the end. */
const FEW = 100;

export function createTopList(most: number): TopList {
  return most > FEW ? createSorted(most) : createOrdered(most);
}

function createOrdered(most: number): TopList {
  const best: Scored[] = [];
  let bar = most > 0 ? 0 : Infinity;
  return {
    bar: () => bar,
    offer: (document, score) => {
      if (!(score > bar)) return;
      if (best.length === most) best.pop();
      let place = best.length;
      while (place > 0 && (best[place - 1]?.score ?? 0) < score) place--;
      best.splice(place, 0, { document, score });
      if (best.length === most) bar = best[most - 1]?.score ?? 0;
    },
    all: () => best,
  };
}

function createSorted(most: number): TopList {
  const offered: Scored[] = [];
  return {
    bar: () => 0,
    offer: (document, score) => {
      if (score > 0) offered.push({ document, score });
    },
    all: () => offered.toSorted((one, other) => other.score - one.score).slice(0, most),
  };
}

export interface TopListWithVectorInput {
  readonly view: CollectionView;
  readonly vector: ArrayLike<number>;
  readonly limit: number;
  readonly isWanted: (document: number) => boolean;
}

/**
 * The best by both: the score as a share of the best score, plus the cosine of document and query. Documents that hold none
 * of the words are found as well. Ranks are not mixed: that would throw away how far the first is ahead of the second.
 */
export function createTopListWithVector({ view, vector, limit, isWanted }: TopListWithVectorInput): TopList {
  const offered = new Float32Array(view.size);
  let most = 0;
  return {
    bar: () => 0,
    offer: (document, score) => {
      offered[document] = score;
      most = Math.max(most, score);
    },
    all: () => {
      const best = createTopList(limit);
      for (const { open, first } of view.parts) {
        const width = vectorWidth(open.segment);
        const unit = unitVector(vector, width);
        for (let at = 0; at < open.removed.length; at++) {
          const share = most === 0 ? 0 : (offered[first + at] ?? 0) / most;
          const score = share + cosine(open.segment.vectors, at * width, unit);
          if (score > best.bar() && isWanted(first + at)) best.offer(first + at, score);
        }
      }
      return best.all();
    },
  };
}

function cosine(vectors: Float32Array, from: number, unit: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < unit.length; at++) sum += (vectors[from + at] ?? 0) * (unit[at] ?? 0);
  return sum;
}

/** What keeps the best: by words, or by words and a vector. */
export function topListFor(
  view: CollectionView,
  { limit, vector, isWanted }: SearchOptions & { readonly isWanted: (document: number) => boolean },
): TopList {
  if (vector === undefined) return createTopList(normalizeLimit(limit));
  return createTopListWithVector({ view, vector, limit: normalizeLimit(limit), isWanted });
}

/** How many are wanted, whatever a caller says: a whole number that is not below 0, or all of them. */
export function normalizeLimit(limit: number = DEFAULT_SEARCH_LIMIT): number {
  return Number.isNaN(limit) ? DEFAULT_SEARCH_LIMIT : Math.max(0, Math.floor(limit));
}
