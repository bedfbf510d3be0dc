import type { SearchDocument } from "../document.ts";
import { FIELDS } from "../rank/weights.ts";
import { compareAsBytes, packTexts } from "./packed-texts.ts";
import { COUNT_SCALE, KINDS, type Segment } from "./segment.ts";
import { createTermCounter } from "./term-counter.ts";
import { packVectors } from "./vectors.ts";

const MOST_COUNT = 0xff_ff;

/** Documents as a segment, in the order in which they are given. */
export function buildSegment(documents: readonly SearchDocument[]): Segment {
  const { postings, lengths, terms } = countTerms(documents);
  const order = sortedOrder(terms);
  return {
    terms: packTexts(Array.from(order, (term) => terms[term] ?? "")),
    ...inverted(postings, { order, documents: documents.length }),
    lengths,
    ...facts(documents),
  };
}

/** Of one document after the other: how many terms, and which how often. */
interface Postings {
  readonly ends: Uint32Array;
  readonly terms: readonly number[];
  readonly counts: readonly number[];
}

function countTerms(documents: readonly SearchDocument[]): {
  readonly postings: Postings;
  readonly lengths: Uint32Array;
  readonly terms: readonly string[];
} {
  const counter = createTermCounter();
  const ends = new Uint32Array(documents.length);
  const lengths = new Uint32Array(documents.length);
  const terms: number[] = [];
  const counts: number[] = [];
  for (const [at, document] of documents.entries()) {
    for (const { field, ...how } of FIELDS) {
      const text = document[field];
      if (text !== undefined && text !== "") counter.addText(text, how);
    }
    lengths[at] = counter.endDocument((term, count) => {
      terms.push(term);
      counts.push(Math.min(MOST_COUNT, Math.round(count * COUNT_SCALE)));
    });
    ends[at] = terms.length;
  }
  return { postings: { ends, terms, counts }, lengths, terms: counter.terms };
}

function sortedOrder(terms: readonly string[]): Uint32Array {
  return Uint32Array.from(terms.keys()).toSorted((one, other) =>
    compareAsBytes(terms[one] ?? "", terms[other] ?? ""),
  );
}

/** By term instead of by document. */
function inverted(
  { ends, terms, counts }: Postings,
  { order, documents }: { readonly order: Uint32Array; readonly documents: number },
): Pick<Segment, "starts" | "documents" | "counts"> {
  const placeOf = new Uint32Array(order.length);
  for (const [place, term] of order.entries()) placeOf[term] = place;
  const starts = new Uint32Array(order.length + 1);
  for (const term of terms) {
    const after = (placeOf[term] ?? 0) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const next = starts.slice();
  const byTerm = {
    documents: new Uint32Array(terms.length),
    counts: new Uint16Array(terms.length),
  };
  let at = 0;
  for (let document = 0; document < documents; document++) {
    for (const end = ends[document] ?? 0; at < end; at++) {
      const place = placeOf[terms[at] ?? 0] ?? 0;
      const slot = next[place] ?? 0;
      byTerm.documents[slot] = document;
      byTerm.counts[slot] = counts[at] ?? 0;
      next[place] = slot + 1;
    }
  }
  return { starts, ...byTerm };
}

function facts(
  documents: readonly SearchDocument[],
): Omit<Segment, "terms" | "starts" | "documents" | "counts" | "lengths"> {
  const types = numbered(documents.map(({ type }) => type ?? ""));
  const sessions = numbered(documents.map(({ session }) => session ?? ""));
  return {
    kinds: Uint8Array.from(documents, ({ kind = "topic" }) => KINDS.indexOf(kind)),
    times: Float64Array.from(documents, ({ updatedMs }) => updatedMs ?? -Infinity),
    ids: packTexts(documents.map(({ id }) => id)),
    types: Uint32Array.from(types.numbers),
    typeNames: packTexts(types.names),
    sessions: Uint32Array.from(sessions.numbers),
    sessionNames: packTexts(sessions.names),
    turns: Float64Array.from(documents, ({ turn }) => turn ?? 0),
    vectors: packVectors(documents.map(({ vector }) => vector)),
  };
}

function numbered(texts: readonly string[]): {
  readonly names: readonly string[];
  readonly numbers: readonly number[];
} {
  const numbers = new Map<string, number>();
  for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size);
  return { names: [...numbers.keys()], numbers: texts.map((text) => numbers.get(text) ?? 0) };
}
