import { unitVector, vectorWidth } from "../segment/vectors.ts";
import { type BestOf, createBestOf } from "./best.ts";
import type { CollectionView } from "./collection-view.ts";

export interface WithVectorInput {
  readonly view: CollectionView;
  readonly vector: ArrayLike<number>;
  readonly limit: number;
  readonly isWanted: (document: number) => boolean;
}

/**
 * The best by both: the score as a share of the best score, plus the cosine of document and query. Documents that hold none
 * of the words are found as well. Ranks are not mixed: that would throw away how far the first is ahead of the second.
 */
export function createBestWithVector({ view, vector, limit, isWanted }: WithVectorInput): BestOf {
  const offered = new Float32Array(view.size);
  let most = 0;
  return {
    bar: () => 0,
    offer: (document, score) => {
      offered[document] = score;
      most = Math.max(most, score);
    },
    all: () => {
      const best = createBestOf(limit);
      for (const { open, first } of view.parts) {
        const width = vectorWidth(open.segment);
        const unit = unitVector(vector, width);
        for (let at = 0; at < open.gone.length; at++) {
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
