import { normalizeText } from "../markdown/normalize.ts";
import type { IndexTexts } from "../history/change.ts";
import { newIndex } from "./edit-index.ts";
import { type IndexLine, parseIndexLines, unclosedFenceStart } from "./index-lines.ts";
import { linkTarget } from "./render-line.ts";
import { slugKey, type TopicSlug } from "../topics/slug.ts";

/**
 * Adds to an index what another one has in addition: lines of topics without a line here, and the text around them.
 * Nothing is removed, and merging again adds nothing.
 */
export function mergeIndex(
  text: string,
  other: string,
  exists: (slug: TopicSlug) => boolean,
): string {
  const normal = normalizeText(other);
  const theirs = parseIndexLines(normal);
  const lines = parseIndexLines(text);
  const listed = new Set(lines.map(({ slug }) => slugKey(slug)));
  // Includes lines in comments and code blocks, which the parser skips.
  const present = new Set(text.split("\n"));
  const added = theirs
    .filter(({ slug }) => exists(slug) && !listed.has(slugKey(slug)))
    .map(({ start, end }) => normal.slice(start, end).replace(/\n$/, ""))
    .filter((line) => !present.has(line));
  const rest = withoutIntroduction(withoutLines(normal, theirs), text);
  const isKnown = rest.split("\n").every((line) => line.trim() === "" || present.has(line));
  const withLines = insertLines(text, lines.at(-1)?.end, added);
  return isKnown ? withLines : `${withBlankLine(withLines)}${rest}\n`;
}

/** Points the lines at topics that have other names here. */
export function retargetLines(text: string, names: ReadonlyMap<TopicSlug, TopicSlug>): string {
  if (names.size === 0) return text;
  return parseIndexLines(text).reduceRight((changed, { slug, start, end }) => {
    const name = names.get(slug);
    if (name === undefined) return changed;
    const line = changed
      .slice(start, end)
      .replace(/\]\((?:<[^<>\n]*>|[^()\s]*)\)/, () => `](${linkTarget(name)})`);
    return changed.slice(0, start) + line + changed.slice(end);
  }, text);
}

/** Removes the lines that a change added. Whatever was added or removed since then stays that way. */
export function removeAddedLines(text: string, { before, after }: IndexTexts): string {
  const earlier = new Set(normalizeText(before ?? "").split("\n"));
  const added = new Set(normalizeText(after).split("\n"));
  const kept = text
    .split("\n")
    .filter((line) => line.trim() === "" || earlier.has(line) || !added.has(line));
  return kept.join("\n");
}

/** The generated introduction is kept only once. */
function withoutIntroduction(rest: string, text: string): string {
  // As whole lines: what is left of a line would be added again by the next merge.
  const introduction = `\n${newIndex().trim()}\n`;
  if (!`\n${text}\n`.includes(introduction)) return rest;
  return `\n${rest}\n`.replace(introduction, () => "\n").trim();
}

/** Removes lines, and the gaps that they leave. */
function withoutLines(text: string, lines: readonly IndexLine[]): string {
  const kept = lines.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
    text,
  );
  return kept.replaceAll(/\n{3,}/g, "\n\n").trim();
}

/** Inserts lines after the last one, or at the end, but above an unclosed code block. */
function insertLines(text: string, end: number | undefined, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const added = lines.map((line) => `${line}\n`).join("");
  const at = end ?? unclosedFenceStart(text) ?? text.length;
  const before =
    end === undefined ? withBlankLine(text.slice(0, at)) : withLineEnd(text.slice(0, at));
  const after = text.slice(at);
  return `${before}${added}${end === undefined && after !== "" ? "\n" : ""}${after}`;
}

function withLineEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function withBlankLine(text: string): string {
  if (text.trim() === "" || text.endsWith("\n\n")) return text;
  return text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
}
