import { createGrowableArray } from "./build-segment.ts";
import type { OpenSegment } from "./open-segment.ts";
import { bytesAt, compareBytes, packTexts, textAt } from "./packed-texts.ts";
import { createDocumentNumbers, type PackedTexts, type Segment, vectorWidth } from "./segment.ts";

/** Merges several segments into one, in the same order and without removed documents. */
export function mergeSegments(segments: readonly OpenSegment[]): Segment {
  const kept = segments.map(({ removed }) =>
    Uint32Array.from(removed.keys()).filter((at) => removed[at] === 0),
  );
  const all = segments.map(({ segment }) => segment);
  const size = kept.reduce((sum, own) => sum + own.length, 0);
  return {
    ...mergePostings(all, renumber(segments), size),
    lengths: Uint32Array.from(pick(all, kept, ({ lengths }) => lengths)),
    kinds: Uint8Array.from(pick(all, kept, ({ kinds }) => kinds)),
    times: Float64Array.from(pick(all, kept, ({ times }) => times)),
    turns: Float64Array.from(pick(all, kept, ({ turns }) => turns)),
    ids: packTexts(
      all.flatMap(({ ids }, at) => Array.from(kept[at] ?? [], (each) => textAt(ids, each))),
    ),
    ...mergeNames(all, kept),
    vectors: mergeVectors(all, kept),
  };
}

/** The new number of each document of each segment; -1 for a removed one. */
function renumber(segments: readonly OpenSegment[]): readonly Int32Array[] {
  let next = 0;
  return segments.map(({ removed }) =>
    Int32Array.from(removed, (isRemoved) => (isRemoved === 1 ? -1 : next++)),
  );
}

function pick(
  all: readonly Segment[],
  kept: readonly Uint32Array[],
  valuesOf: (segment: Segment) => ArrayLike<number>,
): readonly number[] {
  return all.flatMap((segment, at) => {
    const values = valuesOf(segment);
    return Array.from(kept[at] ?? [], (each) => values[each] ?? 0);
  });
}

/** The names of types and sessions, each once, and their numbers per document. */
function mergeNames(
  all: readonly Segment[],
  kept: readonly Uint32Array[],
): Pick<Segment, "types" | "typeNames" | "sessions" | "sessionNames"> {
  const types = joinNames(all, kept, ({ types: own, typeNames }) => [own, typeNames]);
  const sessions = joinNames(all, kept, ({ sessions: own, sessionNames }) => [own, sessionNames]);
  return {
    types: types.numbers,
    typeNames: types.names,
    sessions: sessions.numbers,
    sessionNames: sessions.names,
  };
}

function joinNames(
  all: readonly Segment[],
  kept: readonly Uint32Array[],
  namesOf: (segment: Segment) => readonly [numbers: Uint32Array, names: PackedTexts],
): { readonly numbers: Uint32Array; readonly names: PackedTexts } {
  const numbers = new Map<string, number>();
  const merged = all.flatMap((segment, at) => {
    const [own, names] = namesOf(segment);
    const renumbered = new Map<number, number>();
    return Array.from(kept[at] ?? [], (each) => {
      const number = own[each] ?? 0;
      const known = renumbered.get(number);
      if (known !== undefined) return known;
      const name = textAt(names, number);
      const next = numbers.get(name) ?? numbers.size;
      numbers.set(name, next);
      renumbered.set(number, next);
      return next;
    });
  });
  return { numbers: Uint32Array.from(merged), names: packTexts([...numbers.keys()]) };
}

/** Drops vectors whose dimension differs from the first: another model made them. */
function mergeVectors(all: readonly Segment[], kept: readonly Uint32Array[]): Float32Array {
  const width = all.map(vectorWidth).find((own) => own > 0) ?? 0;
  const merged = new Float32Array(width * kept.reduce((sum, own) => sum + own.length, 0));
  let end = 0;
  for (const [at, segment] of all.entries()) {
    const isCompatible = vectorWidth(segment) === width;
    for (const each of kept[at] ?? []) {
      if (isCompatible) merged.set(segment.vectors.subarray(each * width, (each + 1) * width), end);
      end += width;
    }
  }
  return merged;
}

/** Merges the terms of several segments. Their documents get new numbers up to `size`; -1 means removed. */
function mergePostings(
  all: readonly Segment[],
  numbers: readonly Int32Array[],
  size: number,
): Pick<Segment, "terms" | "starts" | "documents" | "counts"> {
  const room = all.reduce((sum, { documents }) => sum + documents.length, 0);
  const documents = createDocumentNumbers(room, size);
  const counts = new Uint8Array(room);
  const starts = createGrowableArray((length) => new Uint32Array(length));
  const terms: Uint8Array[] = [];
  let end = 0;
  const take = (segment: Segment, renumbered: Int32Array, term: number): void => {
    for (let slot = segment.starts[term] ?? 0; slot < (segment.starts[term + 1] ?? 0); slot++) {
      const document = renumbered[segment.documents[slot] ?? 0] ?? -1;
      if (document === -1) continue;
      documents[end] = document;
      counts[end++] = segment.counts[slot] ?? 0;
    }
  };
  for (const { bytes, occurrences } of termsInOrder(all)) {
    const start = end;
    for (const { at, term } of occurrences) {
      const segment = all[at];
      const renumbered = numbers[at];
      if (segment !== undefined && renumbered !== undefined) take(segment, renumbered, term);
    }
    // A term without any remaining document is dropped as well.
    if (end === start) continue;
    terms.push(bytes);
    starts.push(start);
  }
  starts.push(end);
  return {
    terms: packBytes(terms),
    starts: starts.all(),
    documents: documents.slice(0, end),
    counts: counts.slice(0, end),
  };
}

interface MergedTerm {
  readonly bytes: Uint8Array;
  readonly occurrences: readonly { readonly at: number; readonly term: number }[];
}

/**
 * Iterates over the terms of all segments in order.
 * @yields each term with the segments that contain it
 */
function* termsInOrder(all: readonly Segment[]): Generator<MergedTerm> {
  const heads = all.map(({ terms }, at) => ({ at, terms, term: 0, bytes: termAt(terms, 0) }));
  for (;;) {
    const bytes = smallestOf(heads);
    if (bytes === undefined) return;
    const occurrences: { readonly at: number; readonly term: number }[] = [];
    for (const head of heads) {
      if (head.bytes === undefined || compareBytes(head.bytes, bytes) !== 0) continue;
      occurrences.push({ at: head.at, term: head.term });
      head.bytes = termAt(head.terms, ++head.term);
    }
    yield { bytes, occurrences };
  }
}

function smallestOf(
  heads: readonly { readonly bytes: Uint8Array | undefined }[],
): Uint8Array | undefined {
  let smallest: Uint8Array | undefined;
  for (const { bytes } of heads) {
    if (bytes !== undefined && (smallest === undefined || compareBytes(bytes, smallest) < 0))
      smallest = bytes;
  }
  return smallest;
}

function termAt(terms: PackedTexts, at: number): Uint8Array | undefined {
  return at < terms.ends.length ? bytesAt(terms, at) : undefined;
}

function packBytes(texts: readonly Uint8Array[]): PackedTexts {
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + text.length, 0));
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [at, text] of texts.entries()) {
    bytes.set(text, end);
    end += text.length;
    ends[at] = end;
  }
  return { bytes, ends };
}
