import type { SearchOptions } from "../results.ts";
import { indexOfText } from "../segment/packed-texts.ts";
import { type CollectionView, REMOVED, locate } from "./collection-view.ts";

/** Whether a document that is there passes what was asked for beside the words. */
export function createFilter(
  view: CollectionView,
  { type, sinceMs = -Infinity }: Pick<SearchOptions, "type" | "sinceMs">,
): (document: number) => boolean {
  const { kinds, parts } = view;
  const isThere = (document: number): boolean => kinds[document] !== REMOVED;
  if (type === undefined && sinceMs === -Infinity) return isThere;
  const types = new Map(
    parts.map(({ open }) => [open, indexOfText(open.segment.typeNames, type ?? "")]),
  );
  return (document) => {
    if (!isThere(document)) return false;
    const { open, at } = locate(view, document);
    const { segment } = open;
    if ((segment.times[at] ?? -Infinity) < sinceMs) return false;
    return type === undefined || segment.types[at] === types.get(open);
  };
}
