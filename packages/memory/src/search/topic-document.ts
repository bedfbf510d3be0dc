import type { StoredTopic } from "../store/topic-store.ts";
import type { SearchDocument } from "./document.ts";
import type { ShownDocument } from "./source.ts";

/** The name of sources of topics, with which the ids of their documents begin. */
export const TOPICS = "topics";

/** The key of a topic among all of a source: its slug, without the mark that ends a key in an id. */
export function topicKey(slug: string): string {
  return /[#%]/.test(slug) ? slug.replaceAll("%", "%25").replaceAll("#", "%23") : slug;
}

/** The slug that a key was made of. */
export function slugOfKey(key: string): string {
  return key.replaceAll("%23", "#").replaceAll("%25", "%");
}

/** The slug of a topic that was found; `undefined` for an id of something else. */
export function slugOfId(id: string): string | undefined {
  const [start, end] = [`${TOPICS}:`, "#"];
  if (!id.startsWith(start) || !id.endsWith(end)) return undefined;
  return slugOfKey(id.slice(start.length, -end.length));
}

type SearchedTopic = Pick<StoredTopic, "slug" | "topic" | "updatedMs">;

/** All of a topic's text, for an index. */
export function topicDocument({ slug, topic, updatedMs }: SearchedTopic): SearchDocument {
  return {
    id: `${TOPICS}:${topicKey(slug)}#`,
    kind: "topic",
    name: slug,
    description: topic.description,
    headings: headingsOf(topic.body),
    tags: topic.tags?.join(" "),
    body: topic.body,
    type: topic.type,
    updatedMs,
  };
}

/** What is to be shown of a topic that was found. */
export function shownTopic({ slug, topic }: Omit<SearchedTopic, "updatedMs">): ShownDocument {
  return {
    kind: "topic",
    name: slug,
    address: `memory://topics/${slug}`,
    type: topic.type,
    description: topic.description,
    text: topic.body,
  };
}

const HEADING_OR_FENCE = /^ {0,3}(?:#{1,6}[ \t]+(.+)|(`{3,}|~{3,}).*)$/gm;

/** The headings of a Markdown text, one a line. What looks like one inside of code is none. */
export function headingsOf(body: string): string | undefined {
  if (!body.includes("#")) return undefined;
  const headings: string[] = [];
  let open: string | undefined;
  for (const [, heading, fence] of body.matchAll(HEADING_OR_FENCE)) {
    if (fence !== undefined) {
      if (open === undefined) open = fence;
      else if (fence.startsWith(open)) open = undefined;
    } else if (heading !== undefined && open === undefined) headings.push(heading.trim());
  }
  return headings.length === 0 ? undefined : headings.join("\n");
}
