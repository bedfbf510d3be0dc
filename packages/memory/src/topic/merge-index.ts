import { normalizeText } from "../normalize.ts";
import { type IndexLine, indexLines } from "./index-lines.ts";
import { slugKey, type TopicSlug } from "./slug.ts";

/**
 * An index with what another one says and it does not: lines of topics that have none here, and the text around them.
 * Nothing is taken out, and a second time adds nothing.
 */
export function mergeIndex(
  text: string,
  other: string,
  isThere: (slug: TopicSlug) => boolean,
): string {
  const normal = normalizeText(other);
  const theirs = indexLines(normal);
  const lines = indexLines(text);
  const listed = new Set(lines.map(({ slug }) => slugKey(slug)));
  const added = theirs
    .filter(({ slug }) => isThere(slug) && !listed.has(slugKey(slug)))
    .map(({ start, end }) => `${normal.slice(start, end).replace(/\n$/, "")}\n`);
  const rest = withoutLines(normal, theirs);
  const isKnown = rest === "" || withoutLines(text, lines).includes(rest);
  const withLines = insertAfter(text, lines.at(-1)?.end, added.join(""));
  return isKnown ? withLines : `${withBlankLine(withLines)}${rest}\n`;
}

/** A text without some of its lines, and without the room that they leave. */
function withoutLines(text: string, lines: readonly IndexLine[]): string {
  const kept = lines.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  return kept.replaceAll(/\n{3,}/g, "\n\n").trim();
}

function insertAfter(text: string, end: number | undefined, added: string): string {
  if (added === "") return text;
  if (end === undefined) return `${withBlankLine(text)}${added}`;
  const before = text.slice(0, end);
  return `${before}${before.endsWith("\n") ? "" : "\n"}${added}${text.slice(end)}`;
}

function withBlankLine(text: string): string {
  if (text.trim() === "" || text.endsWith("\n\n")) return text;
  return text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
}
