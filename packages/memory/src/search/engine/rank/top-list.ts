import { unitVector, vectorWidth } from "../segment/segment.ts";
import type { CollectionView } from "./collection-view.ts";
import { type SearchOptions, DEFAULT_SEARCH_LIMIT } from "../search-result.ts";

/** The number of a document, and its score. */
export interface Scored {
  readonly document: number;
  readonly score: number;
  /** With a vector: how much of the score comes from words, and by what their score was multiplied. */
  readonly words?: { readonly score: number; readonly scale: number } | undefined;
}

/** Keeps the best few of many documents. Equal scores stay in the order in which they came. */
export interface TopList {
  /** Only a higher score can enter the list. */
  readonly bar: () => number;
  readonly offer: (document: number, score: number) => void;
  /** Best first. */
  readonly all: () => readonly Scored[];
}

/** Up to this size, keeping the list sorted is faster than sorting it at the end. */
const MAX_SORTED_SIZE = 100;

export function createTopList(limit: number): TopList {
  return limit > MAX_SORTED_SIZE ? createSorted(limit) : createOrdered(limit);
}

function createOrdered(limit: number): TopList {
  const best: Scored[] = [];
  let bar = limit > 0 ? 0 : Infinity;
  return {
    bar: () => bar,
    offer: (document, score) => {
      if (!(score > bar)) return;
      if (best.length === limit) best.pop();
      let position = best.length;
      while (position > 0 && (best[position - 1]?.score ?? 0) < score) position--;
      best.splice(position, 0, { document, score });
      if (best.length === limit) bar = best[limit - 1]?.score ?? 0;
    },
    all: () => best,
  };
}

function createSorted(limit: number): TopList {
  const offered: Scored[] = [];
  return {
    bar: () => 0,
    offer: (document, score) => {
      if (score > 0) offered.push({ document, score });
    },
    all: () => offered.toSorted((one, other) => other.score - one.score).slice(0, limit),
  };
}

interface TopListWithVectorInput {
  readonly view: CollectionView;
  readonly vector: ArrayLike<number>;
  readonly limit: number;
  readonly matches: (document: number) => boolean;
}

/**
 * Ranks by words and by vector: the score relative to the best one, plus the cosine of document and query. Documents
 * without any of the words are found as well. Ranks are not combined, because that would ignore how far the first is ahead.
 */
function createTopListWithVector({
  view,
  vector,
  limit,
  matches,
}: TopListWithVectorInput): TopList {
  const offered = new Float32Array(view.size);
  let best = 0;
  return {
    bar: () => 0,
    offer: (document, score) => {
      offered[document] = score;
      best = Math.max(best, score);
    },
    all: () => {
      const top = createTopList(limit);
      const scale = best === 0 ? 0 : 1 / best;
      for (const { open, first } of view.parts) {
        const width = vectorWidth(open.segment);
        const unit = unitVector(vector, width);
        for (let at = 0; at < open.removed.length; at++) {
          const score =
            (offered[first + at] ?? 0) * scale + cosine(open.segment.vectors, at * width, unit);
          if (score > top.bar() && matches(first + at)) top.offer(first + at, score);
        }
      }
      return top.all().map(({ document, score }) => {
        const words = { score: (offered[document] ?? 0) * scale, scale };
        return { document, score, words };
      });
    },
  };
}

function cosine(vectors: Float32Array, from: number, unit: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < unit.length; at++) sum += (vectors[from + at] ?? 0) * (unit[at] ?? 0);
  return sum;
}

/** The list for a search by words, or by words and a vector. */
export function topListFor(
  view: CollectionView,
  { limit, vector, matches }: SearchOptions & { readonly matches: (document: number) => boolean },
): TopList {
  if (vector === undefined) return createTopList(normalizeLimit(limit));
  return createTopListWithVector({ view, vector, limit: normalizeLimit(limit), matches });
}

/** Turns any limit that a caller passes into a non-negative integer or infinity. */
export function normalizeLimit(limit: number = DEFAULT_SEARCH_LIMIT): number {
  return Number.isNaN(limit) ? DEFAULT_SEARCH_LIMIT : Math.max(0, Math.floor(limit));
}

/** A newer hit may move up from below the limit. */
const EXTRA_HITS = 8;

/** How many hits are compared to return so many. */
export function poolSize(limit: number): number {
  return limit === 0 ? 0 : limit + EXTRA_HITS;
}
