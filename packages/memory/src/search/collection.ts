import type { SearchDocument } from "./document.ts";
import { type CollectionView, viewOf } from "./rank/collection-view.ts";
import { linkSessions, type SessionLinks } from "./rank/session-links.ts";
import { buildSegment } from "./segment/build-segment.ts";
import { mergeSegments } from "./segment/merge-segments.ts";
import { type OpenSegment, openSegment } from "./segment/open-segment.ts";

/** Documents that are ranked against one another. New ones come in segments of their own, which are merged now and then. */
export interface Collection {
  readonly segments: () => readonly OpenSegment[];
  readonly view: () => CollectionView;
  readonly links: () => SessionLinks;
  /** Each takes the place of one with the same id. */
  readonly add: (documents: readonly SearchDocument[]) => void;
  /** Says how many there were. */
  readonly remove: (ids: readonly string[]) => number;
  /** Removes those whose id, as UTF-8, passes; says how many there were. */
  readonly removeAll: (isMeant: (id: Uint8Array) => boolean) => number;
}

/** From this share on, what is gone is taken out. */
const MOST_GONE = 0.2;

export function createCollection(from: readonly OpenSegment[] = []): Collection {
  let segments = from;
  let view: CollectionView | undefined;
  let links: SessionLinks | undefined;
  const use = (next: readonly OpenSegment[]): void => {
    segments = next;
    view = undefined;
    links = undefined;
  };
  const viewNow = (): CollectionView => (view ??= viewOf(segments));
  const afterRemoval = (count: number): number => {
    if (count > 0)
      use(segments.map(withoutMuchGone).filter(({ segment }) => segment.lengths.length > 0));
    return count;
  };
  const remove = (ids: readonly string[]): number =>
    afterRemoval(segments.reduce((sum, open) => sum + open.remove(ids), 0));
  return {
    segments: () => segments,
    view: viewNow,
    links: () => (links ??= linkSessions(viewNow())),
    add: (documents) => {
      if (documents.length === 0) return;
      remove(documents.map(({ id }) => id));
      use(merged([...segments, openSegment(buildSegment(documents))]));
    },
    remove,
    removeAll: (isMeant) =>
      afterRemoval(segments.reduce((sum, open) => sum + open.removeAll(isMeant), 0)),
  };
}

function withoutMuchGone(open: OpenSegment): OpenSegment {
  const isMuch = open.goneCount() > MOST_GONE * open.segment.lengths.length;
  return isMuch ? openSegment(mergeSegments([open])) : open;
}

/** Merges from the end as long as the last is not small beside the one before it: there are never many. */
function merged(segments: readonly OpenSegment[]): readonly OpenSegment[] {
  const before = segments.at(-2);
  const last = segments.at(-1);
  if (before === undefined || last === undefined) return segments;
  if (last.segment.lengths.length * 2 < before.segment.lengths.length) return segments;
  return merged([...segments.slice(0, -2), openSegment(mergeSegments([before, last]))]);
}
