import type { StoredTopic } from "../../store/topic-store.ts";
import type { ShownDocument, SourceDocument } from "./source.ts";

/** The names of topic sources: those of the project, or of any one store, of the user, and of a team. Ids start with them. */
export const TOPICS = "topics";
export const USER_TOPICS = "user";
export const TEAM_TOPICS = "team";

export type TopicSourceName = typeof TOPICS | typeof USER_TOPICS | typeof TEAM_TOPICS;

/** The key of a topic: its slug, with `#` escaped, because `#` ends the key in an id. */
export function topicKey(slug: string): string {
  return /[#%]/.test(slug) ? slug.replaceAll("%", "%25").replaceAll("#", "%23") : slug;
}

export function slugFromKey(key: string): string {
  return key.replaceAll("%23", "#").replaceAll("%25", "%");
}

/** The slug in a document id; `undefined` for an id of another source. */
export function slugFromId(id: string, source: TopicSourceName = TOPICS): string | undefined {
  const [start, end] = [`${source}:`, "#"];
  if (!id.startsWith(start) || !id.endsWith(end)) return undefined;
  return slugFromKey(id.slice(start.length, -end.length));
}

type SearchedTopic = Pick<StoredTopic, "slug" | "topic" | "updatedMs">;

/** A topic as a document for an index. */
export function topicDocument(
  { slug, topic, updatedMs }: SearchedTopic,
  source: TopicSourceName = TOPICS,
): SourceDocument {
  return {
    id: topicId(slug, source),
    kind: "topic",
    name: slug,
    description: topic.description,
    headings: headingsOf(topic.body),
    tags: topic.tags?.join(" "),
    body: topic.body,
    type: topic.type,
    updatedMs,
    applies: topic.applies,
    supersedes: topic.supersedes?.map((name) => topicId(name.trim().replace(/\.md$/, ""), source)),
  };
}

function topicId(slug: string, source: TopicSourceName): string {
  return `${source}:${topicKey(slug)}#`;
}

/** A topic as a search result shows it. */
export function shownTopic(
  { slug, topic }: Omit<SearchedTopic, "updatedMs">,
  source: TopicSourceName = TOPICS,
): ShownDocument {
  const topics = source === TOPICS ? "topics" : `${source}/topics`;
  return {
    kind: "topic",
    name: slug,
    address: `memory://${topics}/${slug}`,
    type: topic.type,
    description: topic.description,
    text: topic.body,
    // Only a team says who wrote a topic; anywhere else the key may mean anything.
    ...(topic.author === undefined || source !== TEAM_TOPICS ? {} : { author: topic.author }),
    // A topic of the user may have been moved from another project, whose files are not here.
    ...(topic.evidence === undefined || source === USER_TOPICS ? {} : { evidence: topic.evidence }),
  };
}

const HEADING_OR_FENCE = /^ {0,3}(?:#{1,6}[ \t]+(.+)|(`{3,}|~{3,}).*)$/gm;

/** The headings of a Markdown text, one per line, without code blocks. */
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
