import { bytesAt, compareBytes } from "./packed-texts.ts";
import type { PackedTexts, Segment } from "./segment.ts";

/** The terms of several segments and their documents, which get new numbers; -1 is one that is gone. */
export function mergePostings(
  all: readonly Segment[],
  numbers: readonly Int32Array[],
): Pick<Segment, "terms" | "starts" | "documents" | "counts"> {
  const room = all.reduce((sum, { documents }) => sum + documents.length, 0);
  const documents = new Uint32Array(room);
  const counts = new Uint16Array(room);
  const starts: number[] = [0];
  const terms: Uint8Array[] = [];
  let end = 0;
  for (const { bytes, holders } of termsInOrder(all)) {
    for (const { at, term } of holders) {
      const segment = all[at];
      const renumbered = numbers[at];
      if (segment === undefined || renumbered === undefined) continue;
      for (let slot = segment.starts[term] ?? 0; slot < (segment.starts[term + 1] ?? 0); slot++) {
        const document = renumbered[segment.documents[slot] ?? 0] ?? -1;
        if (document === -1) continue;
        documents[end] = document;
        counts[end++] = segment.counts[slot] ?? 0;
      }
    }
    // A term of which every document is gone is gone as well.
    if (end === starts.at(-1)) continue;
    terms.push(bytes);
    starts.push(end);
  }
  return {
    terms: packBytes(terms),
    starts: Uint32Array.from(starts),
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
  const places = all.map(() => 0);
  const heads = all.map(({ terms }) => termAt(terms, 0));
  for (;;) {
    let least: Uint8Array | undefined;
    for (const head of heads) {
      if (head !== undefined && (least === undefined || compareBytes(head, least) < 0))
        least = head;
    }
    if (least === undefined) return;
    const holders: { readonly at: number; readonly term: number }[] = [];
    for (const [at, head] of heads.entries()) {
      if (head === undefined || compareBytes(head, least) !== 0) continue;
      const term = places[at] ?? 0;
      holders.push({ at, term });
      places[at] = term + 1;
      const { terms } = all[at] ?? {};
      heads[at] = terms === undefined ? undefined : termAt(terms, term + 1);
    }
    yield { bytes: least, holders };
  }
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
