import type { FileChange } from "../history/change.ts";
import { parseTopicHeader } from "../topics/parse-topic.ts";
import { slugFromFileName, slugKey, type TopicSlug } from "../topics/slug.ts";
import { markSuperseded, putIndexLine, removeIndexLine, unmarkSuperseded } from "./edit-index.ts";

/** Updates the index lines of changed files, and of topics that they supersede. A renamed topic keeps its position. */
export function indexAfter(text: string, files: readonly FileChange[]): string {
  const created = files.filter(({ before, after }) => before === null && after !== null);
  const removed = files.filter(({ after }) => after === null);
  const isRename = created.length === 1 && removed.length === 1;
  let index = text;
  for (const { slug, before, after } of files) {
    if (after === null) continue;
    const replacing = isRename && before === null ? removed[0]?.slug : slug;
    index = putIndexLine(index, { ...parseTopicHeader(after), slug }, replacing);
  }
  // Otherwise the line of a topic that differs only in case would be removed as well.
  const remaining = new Set(
    files.filter(({ after }) => after !== null).map(({ slug }) => slugKey(slug)),
  );
  for (const { slug } of removed) {
    if (!remaining.has(slugKey(slug))) index = removeIndexLine(index, slug);
  }
  return markedAfter(index, files);
}

/** Marks what the changed topics supersede now, after removing the marks of what they superseded before. */
export function markedAfter(text: string, files: readonly FileChange[]): string {
  let index = text;
  for (const { slug, before } of files)
    for (const name of supersededBy(before)) index = unmarkSuperseded(index, name, slug);
  for (const { slug, after } of files)
    for (const name of supersededBy(after)) index = markSuperseded(index, name, slug);
  return index;
}

function supersededBy(text: string | null): readonly TopicSlug[] {
  // Most topics supersede nothing, and every write comes here.
  if (text === null || !text.includes("supersedes")) return [];
  return (parseTopicHeader(text).supersedes ?? []).flatMap(
    (name) => slugFromFileName(`${name}.md`) ?? [],
  );
}
