import type { SearchDocument } from "./document.ts";
import { type CollectionView, createView } from "./rank/collection-view.ts";
import { linkSessions, type SessionLinks } from "./rank/session-links.ts";
import { buildSegment } from "./segment/build-segment.ts";
import { mergeSegments } from "./segment/merge-segments.ts";
import { type OpenSegment, openSegment } from "./segment/open-segment.ts";

/** Documents that are ranked against one another. New ones come in segments of their own, which are merged now and then. */
export interface Collection {
  /** All of them, without a trace of what is gone: for what is to be kept. */
  readonly compacted: () => readonly OpenSegment[];
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
  const viewNow = (): CollectionView => (view ??= createView(segments));
  const takeOut = (share: number): void =>
    use(
      segments
        .map((open) => withoutGone(open, share))
        .filter(({ segment }) => segment.lengths.length > 0),
    );
  const afterRemoval = (count: number): number => {
    if (count > 0) takeOut(MOST_GONE);
    return count;
  };
  const remove = (ids: readonly string[]): number =>
    afterRemoval(segments.reduce((sum, open) => sum + open.remove(ids), 0));
  return {
    compacted: () => {
      if (segments.some((open) => open.removedCount() > 0)) takeOut(0);
      return segments;
    },
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

/** The segment itself, where no more than this share of it is gone. */
function withoutGone(open: OpenSegment, share: number): OpenSegment {
  const isMuch = open.removedCount() > share * open.segment.lengths.length;
  return isMuch ? openSegment(mergeSegments([open])) : open;
}

/** So many segments of about the same size are merged to one, which is about so many times as large. */
const OF_ONE_SIZE = 4;

/** Merges what has gathered at the end: there are never many segments, and no document is merged often. */
function merged(segments: readonly OpenSegment[]): readonly OpenSegment[] {
  const last = segments.at(-1);
  if (last === undefined) return segments;
  const size = sizeClass(last);
  const larger = segments.findLastIndex((open) => sizeClass(open) > size);
  const alike = segments.slice(larger + 1);
  if (alike.length < OF_ONE_SIZE) return segments;
  return merged([...segments.slice(0, larger + 1), openSegment(mergeSegments(alike))]);
}

function sizeClass({ segment }: OpenSegment): number {
  return Math.floor(Math.log(Math.max(1, segment.lengths.length)) / Math.log(OF_ONE_SIZE));
}
