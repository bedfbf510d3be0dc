import { slugKey } from "../topics/slug.ts";
import { type RepairedIndex, repairIndex } from "./edit-index.ts";
import { parseIndexLines, unlistedSlugs } from "./index-lines.ts";
import type { IndexEntry } from "./render-line.ts";

/** Adds a line to an index for every topic that has none, and removes those of topics that no longer exist. */
export function repairFromTopics(text: string, topics: readonly IndexEntry[]): RepairedIndex {
  const slugs = topics.map(({ slug }) => slug);
  const keys = new Set(slugs.map(slugKey));
  const unlisted = new Set(unlistedSlugs(slugs, parseIndexLines(text)));
  return repairIndex(text, {
    exists: (slug) => keys.has(slugKey(slug)),
    missing: topics.filter(({ slug }) => unlisted.has(slug)),
  });
}
