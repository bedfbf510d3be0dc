import type { SearchDocument } from "./document.ts";
import { type CollectionView, createView } from "./rank/collection-view.ts";
import { linkSessions, type SessionLinks } from "./rank/session-links.ts";
import { buildSegment } from "./segment/build-segment.ts";
import { mergeSegments } from "./segment/merge-segments.ts";
import { type OpenSegment, openSegment } from "./segment/open-segment.ts";

/** Documents that are ranked against one another. New ones form their own segments, which are merged now and then. */
export interface Collection {
  /** All segments, without a trace of removed documents: for saving. */
  readonly compacted: () => readonly OpenSegment[];
  readonly view: () => CollectionView;
  readonly links: () => SessionLinks;
  /** Replaces documents with the same id. */
  readonly add: (documents: readonly SearchDocument[]) => void;
  /** Returns how many there were. */
  readonly remove: (ids: readonly string[]) => number;
  /** Removes documents whose id, as UTF-8, matches; returns how many there were. */
  readonly removeAll: (matches: (id: Uint8Array) => boolean) => number;
}

/** Above this share of removed documents, a segment is compacted. */
const MAX_REMOVED_SHARE = 0.2;

export function createCollection(from: readonly OpenSegment[] = []): Collection {
  let segments = from;
  let view: CollectionView | undefined;
  let links: SessionLinks | undefined;
  const use = (next: readonly OpenSegment[]): void => {
    segments = next;
    view = undefined;
    links = undefined;
  };
  const currentView = (): CollectionView => (view ??= createView(segments));
  const compactAll = (share: number): void =>
    use(
      segments
        .map((open) => compact(open, share))
        .filter(({ segment }) => segment.lengths.length > 0),
    );
  const afterRemoval = (count: number): number => {
    if (count > 0) compactAll(MAX_REMOVED_SHARE);
    return count;
  };
  const remove = (ids: readonly string[]): number =>
    afterRemoval(segments.reduce((sum, open) => sum + open.remove(ids), 0));
  return {
    compacted: () => {
      if (segments.some((open) => open.removedCount() > 0)) compactAll(0);
      return segments;
    },
    view: currentView,
    links: () => (links ??= linkSessions(currentView())),
    add: (documents) => {
      if (documents.length === 0) return;
      remove(documents.map(({ id }) => id));
      use(mergeSmall([...segments, openSegment(buildSegment(documents))]));
    },
    remove,
    removeAll: (matches) =>
      afterRemoval(segments.reduce((sum, open) => sum + open.removeAll(matches), 0)),
  };
}

/** Compacts a segment if more than this share of it was removed. */
function compact(open: OpenSegment, share: number): OpenSegment {
  const needsCompaction = open.removedCount() > share * open.segment.lengths.length;
  return needsCompaction ? openSegment(mergeSegments([open])) : open;
}

/** This many segments of about the same size are merged into one that is about this many times as large. */
const MERGE_FACTOR = 4;

/** Merges the small segments at the end: there are never many segments, and no document is merged often. */
function mergeSmall(segments: readonly OpenSegment[]): readonly OpenSegment[] {
  const last = segments.at(-1);
  if (last === undefined) return segments;
  const size = sizeClass(last);
  const larger = segments.findLastIndex((open) => sizeClass(open) > size);
  const similar = segments.slice(larger + 1);
  if (similar.length < MERGE_FACTOR) return segments;
  return mergeSmall([...segments.slice(0, larger + 1), openSegment(mergeSegments(similar))]);
}

function sizeClass({ segment }: OpenSegment): number {
  return Math.floor(Math.log(Math.max(1, segment.lengths.length)) / Math.log(MERGE_FACTOR));
}
