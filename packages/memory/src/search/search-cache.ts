import type { SearchIndex } from "./search-index.ts";
import type { SearchedAmounts } from "./memory-search-types.ts";

/** An index over sources that is brought up to date before it is searched. */
export interface SearchCache {
  /**
   * Looks at every source, reads what was changed and forgets what is gone. A source or a file that fails takes none of
   * the others down. Calls in one moment share one look.
   */
  readonly fresh: () => Promise<FreshIndex>;
  /**
   * The index as it was known last, without a look at any source: for those who cannot wait. `undefined` where there is none
   * yet, and where it would have to be taken up from a file of more than `mostBytes`.
   */
  readonly asItWas: (mostBytes?: number) => SearchIndex | undefined;
  /** Ends what reads files now, and reads none any more: for processes that end while an index is made for the next one. */
  readonly stop: () => void;
  /** Returns when nothing is being written any more: for commands that end. */
  readonly settled: () => Promise<void>;
}

/** An index as of now. */
export interface FreshIndex {
  readonly index: SearchIndex;
  readonly amounts: SearchedAmounts;
  /** What was left out, and why: whole sentences. */
  readonly notes: readonly string[];
}
