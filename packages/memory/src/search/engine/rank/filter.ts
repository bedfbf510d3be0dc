import type { SearchOptions } from "../search-result.ts";
import { indexOfText } from "../segment/packed-texts.ts";
import { type CollectionView, locate, REMOVED } from "./collection-view.ts";

/** Tests whether a document exists and matches the filters of a search. */
export function createFilter(
  view: CollectionView,
  { type, sinceMs = -Infinity }: Pick<SearchOptions, "type" | "sinceMs">,
): (document: number) => boolean {
  const { kinds, parts } = view;
  const exists = (document: number): boolean => kinds[document] !== REMOVED;
  if (type === undefined && sinceMs === -Infinity) return exists;
  const types = new Map(
    parts.map(({ open }) => [open, indexOfText(open.segment.typeNames, type ?? "")]),
  );
  return (document) => {
    if (!exists(document)) return false;
    const { open, at } = locate(view, document);
    const { segment } = open;
    if ((segment.times[at] ?? -Infinity) < sinceMs) return false;
    return type === undefined || segment.types[at] === types.get(open);
  };
}
