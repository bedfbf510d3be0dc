import { SUPERSEDES, supersedesKey } from "../segment/keys.ts";
import { type CollectionView, locate } from "./collection-view.ts";
import { type Lifted, toLifted } from "./newer-first.ts";
import { findPostings } from "./postings.ts";

/** A hit that was placed by the links between topics. */
export interface Placed extends Lifted {
  /** How much of the score it got because it replaces a better hit. */
  readonly superseding: number;
  /** The document that replaces this one. */
  readonly supersededBy: number | undefined;
}

interface PlaceInput {
  readonly view: CollectionView;
  /** Whether a document passes the filters. */
  readonly matches: (document: number) => boolean;
}

/**
 * Ranks what replaces a hit before it, with the same score, even if it has none of the words: a reader who finds the old one
 * needs the new one. Links that form a circle are ignored.
 */
export function placeSuperseding(
  hits: readonly Lifted[],
  { view, matches }: PlaceInput,
): readonly Placed[] {
  const links = createLinks(view);
  const own = new Map(hits.map((hit) => [hit.document, hit]));
  const done = new Set<number>();
  const placed: Placed[] = [];
  for (const hit of hits) {
    const chain = [hit.document, ...links.chainFrom(hit.document)];
    for (const [at, document] of [...chain.entries()].toReversed()) {
      if (done.has(document) || !matches(document)) continue;
      done.add(document);
      const found = own.get(document) ?? toLifted({ document, score: 0 }, 0);
      const score = Math.max(found.score, hit.score);
      const superseding = score - found.score;
      placed.push({ ...found, score, superseding, supersededBy: chain[at + 1] });
    }
  }
  return placed;
}

/** A longer chain is a mistake. */
const MAX_LINKS = 16;

interface Links {
  /** What replaces a document, then what replaces that, and so on. */
  readonly chainFrom: (document: number) => readonly number[];
}

function createLinks(view: CollectionView): Links {
  // Nearly always there are none, and one look-up is enough.
  if (findPostings(view, new Map([[SUPERSEDES, 1]])).length === 0) return { chainFrom: () => [] };
  const chainFrom = (document: number): readonly number[] => {
    const chain: number[] = [];
    let next = newestSuperseding(view, document);
    while (next !== undefined && chain.length < MAX_LINKS) {
      if (next === document || chain.includes(next)) return [];
      chain.push(next);
      next = newestSuperseding(view, next);
    }
    return chain;
  };
  return { chainFrom };
}

function newestSuperseding(view: CollectionView, document: number): number | undefined {
  const { open, at } = locate(view, document);
  const key = supersedesKey(open.idOf(at));
  const [found] = findPostings(view, new Map([[key, 1]]));
  const all = (found?.runs ?? []).flatMap(({ first, documents }) =>
    Array.from(documents, (number) => first + number),
  );
  const timeOf = (each: number): number => {
    const place = locate(view, each);
    return place.open.segment.times[place.at] ?? -Infinity;
  };
  return all.toSorted((one, other) => timeOf(other) - timeOf(one) || one - other)[0];
}
