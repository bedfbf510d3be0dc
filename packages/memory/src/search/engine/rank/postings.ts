import { findText } from "../segment/packed-texts.ts";
import { DECODED_COUNTS, type DocumentNumbers } from "../segment/segment.ts";
import type { CollectionView, ViewPart } from "./collection-view.ts";

const encoder = new TextEncoder();

/** The documents that contain a term. */
export interface TermPostings {
  readonly term: string;
  /** The occurrences of the term in the query. */
  readonly times: number;
  /** The number of documents that contain it. */
  readonly documents: number;
  readonly runs: readonly PostingRun[];
}

/** The documents of one segment, without removed ones. */
export interface PostingRun {
  readonly first: number;
  readonly documents: DocumentNumbers;
  readonly counts: Uint8Array;
}

/** Terms without any document are left out. */
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
    if (documents > 0) found.push({ term, times, documents, runs });
  }
  return found;
}

function runOf({ open, first }: ViewPart, term: Uint8Array): PostingRun | undefined {
  const { segment, removed } = open;
  const position = findText(segment.terms, term);
  if (position === -1) return undefined;
  const [from, to] = [segment.starts[position], segment.starts[position + 1]];
  const documents = segment.documents.subarray(from, to);
  const counts = segment.counts.subarray(from, to);
  if (open.removedCount() === 0) return { first, documents, counts };
  return withoutRemoved({ first, documents: documents.slice(), counts: counts.slice() }, removed);
}

/** Compacts the arrays in place. */
function withoutRemoved({ first, documents, counts }: PostingRun, removed: Uint8Array): PostingRun {
  let end = 0;
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] ?? 0;
    if (removed[document] === 1) continue;
    documents[end] = document;
    counts[end++] = counts[at] ?? 0;
  }
  return { first, documents: documents.subarray(0, end), counts: counts.subarray(0, end) };
}

/** The weight of a term (IDF): the rarer, the higher. */
export function rarity(documents: number, all: number): number {
  return Math.log(1 + (Math.max(0, all - documents) + 0.5) / (documents + 0.5));
}

/** Computes which share of the query a document contains, terms weighted by rarity; a term without documents is the rarest. */
export function createCoverage(
  postings: readonly TermPostings[],
  { terms, size }: { readonly terms: number; readonly size: number },
): (document: number) => number {
  const weights = postings.map(({ documents }) => rarity(documents, size));
  const missingWeight = (terms - postings.length) * rarity(0, size);
  const total = weights.reduce((sum, weight) => sum + weight, missingWeight);
  return (document) => {
    let matched = 0;
    for (const [at, { runs }] of postings.entries()) {
      if (runs.some((run) => positionIn(run, document) !== -1)) matched += weights[at] ?? 0;
    }
    return total === 0 ? 0 : Math.min(1, matched / total);
  };
}

/**
 * Compares the terms of the query that two passages contain, weighted by rarity. `shared`: which share of the terms of
 * `other` the first has as well; `ofQuery`: which share of the query both have.
 */
export function createOverlap(
  postings: readonly TermPostings[],
  { terms, size }: { readonly terms: number; readonly size: number },
): (
  own: readonly number[],
  other: readonly number[],
) => { readonly shared: number; readonly ofQuery: number } {
  const weights = postings.map(({ documents }) => rarity(documents, size));
  const missingWeight = (terms - postings.length) * rarity(0, size);
  const query = weights.reduce((sum, weight) => sum + weight, missingWeight);
  return (own, other) => {
    let both = 0;
    let total = 0;
    let weight = 0;
    for (const [at, term] of postings.entries()) {
      if (!hasTerm(term, other)) continue;
      total++;
      if (!hasTerm(term, own)) continue;
      both++;
      weight += weights[at] ?? 0;
    }
    return { shared: total === 0 ? 1 : both / total, ofQuery: query === 0 ? 0 : weight / query };
  };
}

/** Tests whether one of some documents contains a term. */
export function hasTerm({ runs }: TermPostings, documents: readonly number[]): boolean {
  return documents.some((document) => runs.some((run) => positionIn(run, document) !== -1));
}

/** The occurrences of a term in a document, weighted by field. */
export function countIn({ runs }: TermPostings, document: number): number {
  for (const run of runs) {
    const position = positionIn(run, document);
    if (position !== -1) return DECODED_COUNTS[run.counts[position] ?? 0] ?? 0;
  }
  return 0;
}

function positionIn({ first, documents }: PostingRun, document: number): number {
  let low = 0;
  let high = documents.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = first + (documents[middle] ?? 0);
    if (found === document) return middle;
    if (found < document) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
