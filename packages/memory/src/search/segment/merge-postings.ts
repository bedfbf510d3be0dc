import { createGrowingNumbers } from "./growing-numbers.ts";
import { bytesAt, compareBytes } from "./packed-texts.ts";
import { createDocumentNumbers, type PackedTexts, type Segment } from "./segment.ts";

/** The terms of several segments and their documents, which get new numbers up to `size`; -1 is one that is gone. */
export function mergePostings(
  all: readonly Segment[],
  numbers: readonly Int32Array[],
  size: number,
): Pick<Segment, "terms" | "starts" | "documents" | "counts"> {
  const room = all.reduce((sum, { documents }) => sum + documents.length, 0);
  const documents = createDocumentNumbers(room, size);
  const counts = new Uint8Array(room);
  const starts = createGrowingNumbers((length) => new Uint32Array(length));
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
  for (const { bytes, holders } of termsInOrder(all)) {
    const start = end;
    for (const { at, term } of holders) {
      const segment = all[at];
      const renumbered = numbers[at];
      if (segment !== undefined && renumbered !== undefined) take(segment, renumbered, term);
    }
    // A term of which every document is gone is gone as well.
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

interface TermOfSegments {
  readonly bytes: Uint8Array;
  readonly holders: readonly { readonly at: number; readonly term: number }[];
}

/**
 * Goes through the terms of all segments at once.
 * @yields each term with the segments that hold it
 */
function* termsInOrder(all: readonly Segment[]): Generator<TermOfSegments> {
  const heads = all.map(({ terms }, at) => ({ at, terms, term: 0, bytes: termAt(terms, 0) }));
  for (;;) {
    const bytes = leastOf(heads);
    if (bytes === undefined) return;
    const holders: { readonly at: number; readonly term: number }[] = [];
    for (const head of heads) {
      if (head.bytes === undefined || compareBytes(head.bytes, bytes) !== 0) continue;
      holders.push({ at: head.at, term: head.term });
      head.bytes = termAt(head.terms, ++head.term);
    }
    yield { bytes, holders };
  }
}

function leastOf(
  heads: readonly { readonly bytes: Uint8Array | undefined }[],
): Uint8Array | undefined {
  let least: Uint8Array | undefined;
  for (const { bytes } of heads) {
    if (bytes !== undefined && (least === undefined || compareBytes(bytes, least) < 0))
      least = bytes;
  }
  return least;
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
