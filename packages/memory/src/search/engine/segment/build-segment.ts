import type { SearchDocument } from "../document.ts";
import { encodeCount, createDocumentNumbers, KINDS, type Segment, packVectors } from "./segment.ts";
import { AMENDS, announcesChange, SUPERSEDES, supersedesKey } from "./keys.ts";
import { compareAsBytes, packTexts } from "./packed-texts.ts";

import { createTermCounter } from "./term-counter.ts";

/** How much a word counts in each field. Short fields also keep stop words. */
export const FIELDS: readonly {
  readonly field: "name" | "description" | "headings" | "tags" | "body" | "facts";
  readonly weight: number;
  readonly isShort: boolean;
}[] = [
  { field: "name", weight: 3, isShort: true },
  { field: "description", weight: 2, isShort: true },
  { field: "tags", weight: 2, isShort: true },
  { field: "headings", weight: 1, isShort: false },
  { field: "body", weight: 1, isShort: false },
  { field: "facts", weight: 1, isShort: false },
];

/** Builds a segment from documents, in their order. */
export function buildSegment(documents: readonly SearchDocument[]): Segment {
  const { postings, lengths, terms } = countTerms(documents);
  const order = sortedOrder(terms);
  return {
    terms: packTexts(Array.from(order, (term) => terms[term] ?? "")),
    ...inverted(postings, order),
    lengths,
    ...facts(documents),
  };
}

/** The terms of all documents, one document after the other, with their counts. */
interface Postings {
  readonly ends: Uint32Array;
  readonly terms: Uint32Array;
  readonly counts: Uint8Array;
}

function countTerms(documents: readonly SearchDocument[]): {
  readonly postings: Postings;
  readonly lengths: Uint32Array;
  readonly terms: readonly string[];
} {
  const counter = createTermCounter();
  const ends = new Uint32Array(documents.length);
  const lengths = new Uint32Array(documents.length);
  const terms = createGrowableArray((length) => new Uint32Array(length));
  const counts = createGrowableArray((length) => new Uint8Array(length));
  const onTerm = (term: number, count: number): void => {
    terms.push(term);
    counts.push(encodeCount(count));
  };
  for (const [at, document] of documents.entries()) {
    for (const { field, ...options } of FIELDS) {
      const text = document[field];
      if (text !== undefined && text !== "") counter.addText(text, options);
    }
    for (const key of keysOf(document)) counter.addKey(key);
    lengths[at] = counter.endDocument(onTerm);
    ends[at] = terms.length();
  }
  return {
    postings: { ends, terms: terms.all(), counts: counts.all() },
    lengths,
    terms: counter.terms,
  };
}

function keysOf({ kind, body = "", supersedes = [] }: SearchDocument): readonly string[] {
  if (kind === "turn") return announcesChange(body) ? [AMENDS] : [];
  return supersedes.length === 0 ? [] : [SUPERSEDES, ...new Set(supersedes.map(supersedesKey))];
}

function sortedOrder(terms: readonly string[]): Uint32Array {
  return Uint32Array.from(terms.keys()).toSorted((one, other) =>
    compareAsBytes(terms[one] ?? "", terms[other] ?? ""),
  );
}

/** Groups the postings by term instead of by document. */
function inverted(
  { ends, terms, counts }: Postings,
  order: Uint32Array,
): Pick<Segment, "starts" | "documents" | "counts"> {
  const positionOf = new Uint32Array(order.length);
  for (let position = 0; position < order.length; position++)
    positionOf[order[position] ?? 0] = position;
  const starts = startsOf(terms, positionOf);
  const next = starts.slice();
  const documents = createDocumentNumbers(terms.length, ends.length);
  const codes = new Uint8Array(terms.length);
  let at = 0;
  for (let document = 0; document < ends.length; document++) {
    for (const end = ends[document] ?? 0; at < end; at++) {
      const position = positionOf[terms[at] ?? 0] ?? 0;
      const slot = next[position] ?? 0;
      documents[slot] = document;
      codes[slot] = counts[at] ?? 0;
      next[position] = slot + 1;
    }
  }
  return { starts, documents, counts: codes };
}

function startsOf(terms: Uint32Array, positionOf: Uint32Array): Uint32Array {
  const starts = new Uint32Array(positionOf.length + 1);
  for (let at = 0; at < terms.length; at++) {
    const after = (positionOf[terms[at] ?? 0] ?? 0) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  return starts;
}

function facts(
  documents: readonly SearchDocument[],
): Omit<Segment, "terms" | "starts" | "documents" | "counts" | "lengths"> {
  const types = numbered(documents.map(({ type }) => type ?? ""));
  const sessions = numbered(documents.map(({ session }) => session ?? ""));
  return {
    kinds: Uint8Array.from(documents, ({ kind = "topic" }) => Math.max(0, KINDS.indexOf(kind))),
    times: Float64Array.from(documents, ({ updatedMs }) => finite(updatedMs) ?? -Infinity),
    ids: packTexts(documents.map(({ id }) => id)),
    types: Uint32Array.from(types.numbers),
    typeNames: packTexts(types.names),
    sessions: Uint32Array.from(sessions.numbers),
    sessionNames: packTexts(sessions.names),
    turns: Float64Array.from(documents, ({ turn }) => finite(turn) ?? 0),
    vectors: packVectors(documents.map(({ vector }) => vector)),
  };
}

function finite(number: number | undefined): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}

function numbered(texts: readonly string[]): {
  readonly names: readonly string[];
  readonly numbers: readonly number[];
} {
  const numbers = new Map<string, number>();
  for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size);
  return { names: [...numbers.keys()], numbers: texts.map((text) => numbers.get(text) ?? 0) };
}

/** A typed array of unknown length. */
export interface GrowableArray<T> {
  readonly push: (number: number) => void;
  readonly length: () => number;
  readonly all: () => T;
}

/** `create` returns an array of the given length. */
export function createGrowableArray<T extends Uint8Array | Uint32Array>(
  create: (length: number) => T,
): GrowableArray<T> {
  let numbers = create(0x4_00);
  let count = 0;
  return {
    push: (number) => {
      if (count === numbers.length) {
        const larger = create(count * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[count++] = number;
    },
    length: () => count,
    all: () => {
      const all = create(count);
      all.set(numbers.subarray(0, count));
      return all;
    },
  };
}
