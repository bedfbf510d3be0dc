/** A document's number and what it is worth. */
export interface Scored {
  readonly document: number;
  readonly score: number;
}

/** Keeps the best few of many. Of two that are worth the same, the one that came first stays first. */
export interface BestOf {
  /** What one must be worth more than to be looked at. */
  readonly bar: () => number;
  readonly offer: (document: number, score: number) => void;
  /** Best first. */
  readonly all: () => readonly Scored[];
}

/** Up to here it is faster to keep them in order than to sort them in the end. */
const FEW = 100;

export function createBestOf(most: number): BestOf {
  return most > FEW ? createSorted(most) : createOrdered(most);
}

function createOrdered(most: number): BestOf {
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

function createSorted(most: number): BestOf {
  const offered: Scored[] = [];
  return {
    bar: () => 0,
    offer: (document, score) => {
      if (score > 0) offered.push({ document, score });
    },
    all: () => offered.toSorted((one, other) => other.score - one.score).slice(0, most),
  };
}
