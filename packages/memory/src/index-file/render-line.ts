import { scanMarkdown } from "../markdown/regions.ts";
import { oneLine } from "../topics/one-line.ts";
import type { TopicSlug } from "../topics/slug.ts";

/** How the index line of a topic begins when we wrote it. */
export function indexLineStart(slug: TopicSlug): string {
  const label = slug.replaceAll(/[[\]\\]/g, String.raw`\$&`);
  return `- [${escapeIndexText(oneLine(label))}](${linkTarget(slug)}) — `;
}

/** Makes a text fit to stand in a line of the index: it cannot open or close a comment, look like a link, or begin code. */
export function escapeIndexText(text: string): string {
  const escaped = text
    .replaceAll("<!--", "&lt;!--")
    .replaceAll("-->", "--&gt;")
    .replaceAll("](", String.raw`]\(`);
  return hasOpenCode(escaped) ? escaped.replaceAll("`", "'") : escaped;
}

/** What a link to a topic leads to. What cannot stand in one as it is, is written as its bytes. */
export function linkTarget(slug: TopicSlug): string {
  return `${slug.replaceAll(/[^\p{L}\p{M}\p{N}._-]/gu, percentEncoded)}.md`;
}

function percentEncoded(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

/** Whether a backtick has no partner: it would find one in what a person wrote below, and turn code into text there. */
function hasOpenCode(text: string): boolean {
  if (!text.includes("`")) return false;
  const line = `_ ${text}`;
  let rest = line;
  for (const { start, end } of scanMarkdown(line).code.toReversed()) {
    rest = rest.slice(0, start) + rest.slice(end);
  }
  return rest.includes("`");
}
