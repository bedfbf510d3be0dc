import type { Range } from "../markdown/regions.ts";
import { MAX_INDEX_BYTES, MAX_INDEX_LINES } from "../topics/limits.ts";
import { slugKey, type TopicSlug } from "../topics/slug.ts";
import { TOPIC_TYPES } from "../topics/topic-type.ts";
import {
  findGeneratedLine,
  type IndexLine,
  parseIndexLines,
  unclosedFenceStart,
} from "./index-lines.ts";
import { type IndexEntry, linkTarget, renderDescription, renderIndexLine } from "./render-line.ts";
import {
  renderSupersededMark,
  supersededMarkOf,
  withoutSupersededMark,
} from "./superseded-mark.ts";

/** The index of an empty memory. The comment is for users who open the file; it never reaches a prompt. */
export function newIndex(): string {
  return `# Memory index
<!--
What the agent keeps between sessions, one topic a file beside this one. caliban writes the lines below:

- [topic-name](topic-name.md) — type: one line about it

The type is one of ${TOPIC_TYPES.join(", ")}. Write whatever else you like into this file: it stays, and the
agent sees it. The first ${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES / 1024} KiB, comments not counted, are part of every prompt.
\`caliban memory doctor\` finds what is wrong; \`caliban memory rebuild-index\` makes the lines anew.
-->
`;
}

/**
 * Replaces the line of a topic, or adds one at the top, so that a full index loses the oldest topics. What says that another
 * topic supersedes it stays.
 */
export function putIndexLine(
  text: string,
  entry: IndexEntry,
  replacing: TopicSlug = entry.slug,
): string {
  const only = findGeneratedLine(text, replacing);
  if (only !== undefined) return applyEdits(text, [edit(only, lineText(text, only, entry))]);
  const lines = parseIndexLines(text);
  const own = linesOf(lines, replacing);
  // Prefers a generated line; a hand-written one is replaced only if there is no other.
  const first = own.find(({ isGenerated }) => isGenerated) ?? own[0];
  if (first === undefined) return addLines(text, lines, [entry]);
  const duplicates = own.filter((line) => line.isGenerated && line !== first);
  return applyEdits(text, [
    edit(first, lineText(text, first, entry)),
    ...duplicates.map((line) => edit(line, "")),
  ]);
}

/** Removes the generated lines of a topic; hand-written ones stay. */
export function removeIndexLine(text: string, slug: TopicSlug): string {
  const generated = linesOf(parseIndexLines(text), slug).filter(({ isGenerated }) => isGenerated);
  return applyEdits(
    text,
    generated.map((line) => edit(line, "")),
  );
}

/** Says on the generated line of a topic which other topic supersedes it. */
export function markSuperseded(text: string, slug: TopicSlug, by: TopicSlug): string {
  const mark = renderSupersededMark(by);
  return editGeneratedLine(text, slug, (line) => `${withoutSupersededMark(line)}${mark}\n`);
}

/** Removes the mark that one topic left on the line of another. */
export function unmarkSuperseded(text: string, slug: TopicSlug, by: TopicSlug): string {
  const mark = renderSupersededMark(by);
  return editGeneratedLine(text, slug, (line) =>
    supersededMarkOf(line) === mark ? `${withoutSupersededMark(line)}\n` : line,
  );
}

function editGeneratedLine(
  text: string,
  slug: TopicSlug,
  change: (line: string) => string,
): string {
  const only = findGeneratedLine(text, slug);
  const line = only ?? linesOf(parseIndexLines(text), slug).find(({ isGenerated }) => isGenerated);
  if (line === undefined) return text;
  return applyEdits(text, [edit(line, change(text.slice(line.start, line.end)))]);
}

export interface RepairedIndex {
  readonly text: string;
  /** Topics that had no line. */
  readonly added: readonly TopicSlug[];
  /** Topics that no longer exist, whose lines were removed. */
  readonly dropped: readonly TopicSlug[];
}

/** Adds lines for topics that have none and removes generated lines of topics that no longer exist. */
export function repairIndex(
  text: string,
  {
    exists,
    missing,
  }: {
    readonly exists: (slug: TopicSlug) => boolean;
    /** Topics without a line, newest first. */
    readonly missing: readonly IndexEntry[];
  },
): RepairedIndex {
  const dead = parseIndexLines(text).filter(
    ({ slug, isGenerated }) => isGenerated && !exists(slug),
  );
  const kept = applyEdits(
    text,
    dead.map((line) => edit(line, "")),
  );
  const current = dead.length === 0 ? kept : withoutMarksOf(kept, dead);
  return {
    text: missing.length === 0 ? current : addLines(current, parseIndexLines(current), missing),
    added: missing.map(({ slug }) => slug),
    dropped: dead.map(({ slug }) => slug),
  };
}

/** Removes what topics that no longer exist left on the lines of others. */
function withoutMarksOf(text: string, dead: readonly IndexLine[]): string {
  const marks = new Set(dead.map(({ slug }) => renderSupersededMark(slug)));
  const edits = parseIndexLines(text).flatMap((line) => {
    const now = text.slice(line.start, line.end);
    if (!line.isGenerated || !marks.has(supersededMarkOf(now))) return [];
    return [edit(line, `${withoutSupersededMark(now)}\n`)];
  });
  return applyEdits(text, edits);
}

/** Rebuilds all generated lines from the topics, newest first. Hand-written text between them stays. */
export function rebuildIndex(text: string, entries: readonly IndexEntry[]): RepairedIndex {
  const byKey = new Map(entries.map((entry) => [slugKey(entry.slug), entry]));
  // If two topics differ only in case, each has its own line.
  const bySlug = new Map(entries.map((entry) => [entry.slug, entry]));
  const lines = parseIndexLines(text);
  const entryOf = (line: IndexLine): IndexEntry | undefined =>
    bySlug.get(line.slug) ?? byKey.get(slugKey(line.slug));
  const seen = new Set<TopicSlug>();
  const edits = lines.flatMap((line) => {
    if (!line.isGenerated) return [];
    const entry = entryOf(line);
    if (entry === undefined || seen.has(entry.slug)) return [edit(line, "")];
    seen.add(entry.slug);
    return [edit(line, `${withoutSupersededMark(lineText(text, line, entry))}\n`)];
  });
  const dead = lines.filter((line) => line.isGenerated && entryOf(line) === undefined);
  const named = new Set(lines.flatMap((line) => entryOf(line)?.slug ?? []));
  const missing = entries.filter(({ slug }) => !named.has(slug));
  const kept = applyEdits(text, edits);
  return {
    text: missing.length === 0 ? kept : addLines(kept, parseIndexLines(kept), missing),
    added: missing.map(({ slug }) => slug),
    dropped: dead.map(({ slug }) => slug),
  };
}

/** The lines of a topic, or if it has none, those of a name that differs only in case. */
function linesOf(lines: readonly IndexLine[], slug: TopicSlug): readonly IndexLine[] {
  const own = lines.filter((line) => line.slug === slug);
  const key = slugKey(slug);
  return own.length > 0 ? own : lines.filter((line) => slugKey(line.slug) === key);
}

/** A title, a link and a description: how Claude Code and many users write a line. */
const TITLED = /^([ \t]*[-*+][ \t]+\[[^\]\\\n]+\]\()[^()\s]*(\)(?:[ \t]+[—–-]|:)[ \t]+)\S/;

/** Keeps the indentation of a line, and the title of a hand-written one; only the description changes. */
function lineText(text: string, line: IndexLine, entry: IndexEntry): string {
  const now = text.slice(line.start, line.end);
  const titled = line.isGenerated ? null : TITLED.exec(now);
  if (titled !== null) {
    const [, title = "", end = ""] = titled;
    return `${title}${linkTarget(entry.slug)}${end}${renderDescription(entry.description)}\n`;
  }
  const indent = /^[ \t]*/.exec(now)?.[0] ?? "";
  return `${indent}${renderIndexLine(entry)}${supersededMarkOf(now)}\n`;
}

function addLines(
  text: string,
  lines: readonly IndexLine[],
  entries: readonly IndexEntry[],
): string {
  const added = entries.map((entry) => `${renderIndexLine(entry)}\n`).join("");
  const [first] = lines;
  if (first !== undefined) return text.slice(0, first.start) + added + text.slice(first.start);
  if (text.trim() === "") return `${newIndex()}\n${added}`;
  const fence = unclosedFenceStart(text);
  return fence === undefined
    ? `${withBlankLine(text)}${added}`
    : `${withBlankLine(text.slice(0, fence))}${added}\n${text.slice(fence)}`;
}

/** Some Markdown parsers treat a list right below a paragraph as part of it. */
function withBlankLine(text: string): string {
  if (text === "" || text.endsWith("\n\n")) return text;
  return text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
}

interface LineEdit extends Range {
  readonly insert: string;
}

function edit({ start, end }: Range, insert: string): LineEdit {
  return { start, end, insert };
}

function applyEdits(text: string, edits: readonly LineEdit[]): string {
  let end = 0;
  const parts = edits.map((next) => {
    const kept = text.slice(end, next.start);
    end = next.end;
    return kept + next.insert;
  });
  return parts.join("") + text.slice(end);
}
