import type { SearchOptions } from "../search-result.ts";
import { textAt } from "../segment/packed-texts.ts";
import { type CollectionView, GONE, locate } from "./collection-view.ts";

/** Whether a document that is there passes what was asked for beside the words. */
export function wantedTest(
  view: CollectionView,
  { type, sinceMs }: Pick<SearchOptions, "type" | "sinceMs">,
): (document: number) => boolean {
  const { kinds } = view;
  if (type === undefined && sinceMs === undefined) return (document) => kinds[document] !== GONE;
  return (document) => {
    if (kinds[document] === GONE) return false;
    const { open, at } = locate(view, document);
    const { segment } = open;
    if (sinceMs !== undefined && (segment.times[at] ?? -Infinity) < sinceMs) return false;
    return type === undefined || textAt(segment.typeNames, segment.types[at] ?? 0) === type;
  };
}
