/** How many results are evaluated. */
export const TOP = 10;

/** The quality of a list of ten turns, each from 0 to 1. */
export interface Measures {
  /** A relevant turn counts more the earlier it is; 1 for the best possible list. */
  readonly ndcg: number;
  /** The share of all relevant turns that are in the list. */
  readonly recall: number;
  /** One divided by the rank of the first relevant turn. */
  readonly reciprocalRank: number;
}

export function measure(found: readonly number[], gold: ReadonlySet<number>): Measures {
  const hits = found.slice(0, TOP).map((turn) => gold.has(turn));
  const ideal = Array.from({ length: Math.min(TOP, gold.size) }, () => true);
  const first = hits.indexOf(true);
  return {
    ndcg: gain(ideal) === 0 ? 0 : gain(hits) / gain(ideal),
    recall: gold.size === 0 ? 0 : hits.filter(Boolean).length / gold.size,
    reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
  };
}

function gain(hits: readonly boolean[]): number {
  return hits.reduce((sum, isHit, at) => sum + (isHit ? 1 / Math.log2(at + 2) : 0), 0);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
