import { parseIndexLines, unlistedSlugs } from "../../../index-file/index-lines.ts";
import { putIndexLine } from "../../../index-file/edit-index.ts";
import { mergeIndex } from "../../../index-file/merge-index.ts";
import { normalizeText } from "../../../markdown/normalize.ts";
import type { StoreFiles } from "../../../store/stored-files.ts";
import { parseTopicHeader } from "../../../topics/parse-topic.ts";
import type { TopicSlug } from "../../../topics/slug.ts";

/** An index with lines for topics that it did not list. Everything else in it is as before. */
export interface ExtendedIndex {
  readonly text: string;
  readonly addedCount: number;
}

/** Adds lines for the exported topics to the index of another program: a topic without a line is never found. */
export function extendIndex(
  existing: string,
  { index, topics }: StoreFiles,
  isExported: (slug: TopicSlug) => boolean,
): ExtendedIndex {
  const text = normalizeText(existing);
  const slugs = topics.map(({ slug }) => slug).filter(isExported);
  const unlisted = new Set(unlistedSlugs(slugs, parseIndexLines(text)));
  if (unlisted.size === 0) return { text: existing, addedCount: 0 };
  const merged = mergeIndex(text, onlyLines(index ?? ""), (slug) => unlisted.has(slug));
  const still = new Set(unlistedSlugs([...unlisted], parseIndexLines(merged)));
  const extended = topics
    .filter(({ slug }) => still.has(slug))
    .reduce(
      (result, topic) =>
        putIndexLine(result, { ...parseTopicHeader(topic.text), slug: topic.slug }),
      merged,
    );
  return { text: withLineEndsOf(existing, extended), addedCount: unlisted.size };
}

/** Without the introduction, which is about another directory. */
function onlyLines(index: string): string {
  const text = normalizeText(index);
  return parseIndexLines(text)
    .map(({ start, end }) => text.slice(start, end).replace(/\n$/, ""))
    .join("\n");
}

function withLineEndsOf(existing: string, text: string): string {
  const mark = existing.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + (existing.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text);
}
