import { scanMarkdown } from "../markdown/regions.ts";
import { MAX_DESCRIPTION_CHARACTERS } from "../topics/limits.ts";
import { oneLine } from "../topics/one-line.ts";
import type { TopicSlug } from "../topics/slug.ts";
import type { TopicType } from "../topics/topic-type.ts";

/** A topic as it appears in the index. */
export interface IndexEntry {
  readonly slug: TopicSlug;
  readonly type: TopicType | undefined;
  readonly description: string;
}

/** The index line of a topic. A description cannot end the line, open a comment or code, or look like another link. */
export function renderIndexLine({ slug, type, description }: IndexEntry): string {
  return `${indexLineStart(slug)}${type ?? "untyped"}: ${renderDescription(description)}`;
}

/** How every generated line of a topic starts. */
export function indexLineStart(slug: TopicSlug): string {
  return `- ${renderTopicLink(slug)} — `;
}

export function renderTopicLink(slug: TopicSlug): string {
  const label = slug.replaceAll(/[[\]\\]/g, String.raw`\$&`);
  return `[${escapeIndexText(oneLine(label))}](${linkTarget(slug)})`;
}

export function renderDescription(description: string): string {
  return escapeIndexText(truncate(oneLine(description))) || "(no description)";
}

function truncate(description: string): string {
  const characters = Array.from(description);
  if (characters.length <= MAX_DESCRIPTION_CHARACTERS) return description;
  return `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}

/** The target of a link to a topic, percent-encoded where necessary. */
export function linkTarget(slug: TopicSlug): string {
  return `${slug.replaceAll(/[^\p{L}\p{M}\p{N}._-]/gu, percentEncode)}.md`;
}

function percentEncode(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

/** Escapes a text for an index line: it cannot open or close a comment, look like a link, or start code. */
function escapeIndexText(text: string): string {
  const escaped = text
    .replaceAll("<!--", "&lt;!--")
    .replaceAll("-->", "--&gt;")
    .replaceAll("](", String.raw`]\(`);
  return hasUnpairedBacktick(escaped) ? escaped.replaceAll("`", "'") : escaped;
}

/** An unpaired backtick would pair with one in hand-written text below and turn that code into text. */
function hasUnpairedBacktick(text: string): boolean {
  if (!text.includes("`")) return false;
  const line = `_ ${text}`;
  let rest = line;
  for (const { start, end } of scanMarkdown(line).code.toReversed()) {
    rest = rest.slice(0, start) + rest.slice(end);
  }
  return rest.includes("`");
}
