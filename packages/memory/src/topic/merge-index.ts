import { normalizeText } from "../normalize.ts";
import type { IndexTexts } from "./change.ts";
import { type IndexLine, indexLines } from "./index-lines.ts";
import { linkTarget } from "./line-start.ts";
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

/** The same lines for topics that have other names here. */
export function retargetLines(text: string, names: ReadonlyMap<TopicSlug, TopicSlug>): string {
  if (names.size === 0) return text;
  return indexLines(text).reduceRight((changed, { slug, start, end }) => {
    const name = names.get(slug);
    if (name === undefined) return changed;
    const line = changed
      .slice(start, end)
      .replace(/\]\((?:<[^<>\n]*>|[^()\s]*)\)/, () => `](${linkTarget(name)})`);
    return changed.slice(0, start) + line + changed.slice(end);
  }, text);
}

/** An index without the lines that a change put there; what came or went since stays so. */
export function takeOutLines(text: string, { before, after }: IndexTexts): string {
  const old = new Set(normalizeText(before ?? "").split("\n"));
  const added = new Set(normalizeText(after).split("\n"));
  const kept = text
    .split("\n")
    .filter((line) => line.trim() === "" || old.has(line) || !added.has(line));
  return kept.join("\n");
}

/** A text without some of its lines, and without the room that they leave. */
function withoutLines(text: string, lines: readonly IndexLine[]): string {
  const kept = lines.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
    text,
  );
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
