import { findText } from "../segment/packed-texts.ts";
import type { DocumentNumbers } from "../segment/segment.ts";
import type { CollectionView, ViewPart } from "./collection-view.ts";

const encoder = new TextEncoder();

/** Where the documents of a term are. */
export interface TermPostings {
  /** How often the query names it. */
  readonly times: number;
  /** How many documents hold it. */
  readonly documents: number;
  readonly runs: readonly PostingRun[];
}

/** Those of one segment, without the ones that are gone. */
export interface PostingRun {
  readonly first: number;
  readonly documents: DocumentNumbers;
  readonly counts: Uint8Array;
}

/** Terms that no document holds are left out. */
export function findPostings(
  { parts }: CollectionView,
  terms: ReadonlyMap<string, number>,
): readonly TermPostings[] {
  const found: TermPostings[] = [];
  for (const [term, times] of terms) {
    const bytes = encoder.encode(term);
    const runs: PostingRun[] = [];
    let documents = 0;
    for (const part of parts) {
      const run = runOf(part, bytes);
      if (run === undefined) continue;
      runs.push(run);
      documents += run.documents.length;
    }
    if (documents > 0) found.push({ times, documents, runs });
  }
  return found;
}

function runOf({ open, first }: ViewPart, term: Uint8Array): PostingRun | undefined {
  const { segment, removed: gone } = open;
  const place = findText(segment.terms, term);
  if (place === -1) return undefined;
  const [from, to] = [segment.starts[place], segment.starts[place + 1]];
  const documents = segment.documents.subarray(from, to);
  const counts = segment.counts.subarray(from, to);
  if (open.removedCount() === 0) return { first, documents, counts };
  return withoutGone({ first, documents: documents.slice(), counts: counts.slice() }, gone);
}

/** Moves those that are there together, in the same arrays. */
function withoutGone({ first, documents, counts }: PostingRun, gone: Uint8Array): PostingRun {
  let end = 0;
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] ?? 0;
    if (gone[document] === 1) continue;
    documents[end] = document;
    counts[end++] = counts[at] ?? 0;
  }
  return { first, documents: documents.subarray(0, end), counts: counts.subarray(0, end) };
}

/** How much a term tells: the rarer, the more. */
export function rarity(documents: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - documents) + 0.5) / (documents + 0.5));
}

/** Tells of a document which share of what was looked for it holds, each term by its rarity; one that nobody holds is the rarest. */
export function createCoverage(
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
