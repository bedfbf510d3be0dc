import { type PostingRun, rarity, type TermPostings } from "./postings.ts";

/** Tells of a document which share of what was looked for it holds, each term by its rarity; one that nobody holds is the rarest. */
export function coverageOf(
  postings: readonly TermPostings[],
  { terms, size }: { readonly terms: number; readonly size: number },
): (document: number) => number {
  const worths = postings.map(({ documents }) => rarity(documents, size));
  const unheld = (terms - postings.length) * rarity(0, size);
  const whole = worths.reduce((sum, worth) => sum + worth, unheld);
  return (document) => {
    let held = 0;
    for (const [at, { runs }] of postings.entries()) {
      if (runs.some((run) => isAmong(run, document))) held += worths[at] ?? 0;
    }
    return whole === 0 ? 0 : Math.min(1, held / whole);
  };
}

function isAmong({ first, documents }: PostingRun, document: number): boolean {
  let low = 0;
  let high = documents.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = first + (documents[middle] ?? 0);
    if (found === document) return true;
    if (found < document) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
