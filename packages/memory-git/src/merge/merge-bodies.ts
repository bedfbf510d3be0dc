import { isEqual, type ListVersions, mergeLists } from "./merge-lists.ts";
import { splitParagraphs } from "./split-paragraphs.ts";
import type { TopicVersions } from "./merge-topics.ts";

/** The merged body; `undefined` for a conflict. */
export function mergeBodies({ base, mine, theirs }: TopicVersions): string | undefined {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const [o, a, b] = [splitParagraphs(base), splitParagraphs(mine), splitParagraphs(theirs)];
  const merged = mergeLists({ base: o, mine: a, theirs: b });
  if (merged === undefined || hasCopies(merged, [o, a, b])) return undefined;
  if (!isStable(merged, { base: o, mine: a, theirs: b })) return undefined;
  return merged.length === 0 ? "" : `${merged.join("\n\n")}\n`;
}

/**
 * Whether the other order and a repetition have the same result. Where a text repeats paragraphs, it may be unclear which
 * of them was changed.
 */
function isStable(merged: readonly string[], { base, mine, theirs }: ListVersions): boolean {
  return [
    mergeLists({ base, mine: theirs, theirs: mine }),
    mergeLists({ base, mine, theirs: merged }),
    mergeLists({ base, mine: theirs, theirs: merged }),
  ].every((again) => again !== undefined && isEqual(again, merged));
}

/** Whether a paragraph is there more often than in any version: both sides moved it, to different places. */
function hasCopies(merged: readonly string[], versions: readonly (readonly string[])[]): boolean {
  return merged.some((paragraph) =>
    versions.every((list) => count(list, paragraph) < count(merged, paragraph)),
  );
}

function count(list: readonly string[], paragraph: string): number {
  return list.filter((other) => other === paragraph).length;
}
