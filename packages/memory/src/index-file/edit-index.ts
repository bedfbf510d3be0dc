import { utf8Bytes } from "@caliban/common";
import { stripComments } from "../markdown/comments.ts";
import type { Range } from "../markdown/regions.ts";
import { type IndexLine, commentedPart, parseIndexLines, unclosedFenceStart, findGeneratedLine } from "./index-lines.ts";
import {
  MAX_DESCRIPTION_CHARACTERS,
  MAX_INDEX_BYTES,
  MAX_INDEX_LINES,
  TARGET_SHARE,
  WARN_SHARE,
} from "../topics/limits.ts";
import { escapeIndexText, indexLineStart, linkTarget } from "./render-line.ts";
import { slugKey, type TopicSlug } from "../topics/slug.ts";
import { oneLine } from "../topics/one-line.ts";
import { TOPIC_TYPES, type TopicType } from "../topics/topic-type.ts";

/** What the index says of a topic. */
export interface IndexEntry {
  readonly slug: TopicSlug;
  readonly type: TopicType | undefined;
  readonly description: string;
}

/** The index of a memory that is empty. The comment is for people who open the file; it never reaches a prompt. */
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

/** The line of a topic. Nothing in a description can end it, open a comment or code, or look like another link. */
export function renderIndexLine({ slug, type, description }: IndexEntry): string {
  return `${indexLineStart(slug)}${type ?? "untyped"}: ${aboutOf(description)}`;
}

function aboutOf(description: string): string {
  return escapeIndexText(shortened(oneLine(description))) || "(no description)";
}

/** Puts the line of a topic where its line stands, else before the first, so that a full index loses the oldest. */
export function putIndexLine(
  text: string,
  entry: IndexEntry,
  replacing: TopicSlug = entry.slug,
): string {
  const only = findGeneratedLine(text, replacing);
  if (only !== undefined) return edited(text, [edit(only, lineText(text, only, entry))]);
  const lines = parseIndexLines(text);
  const own = linesOf(lines, replacing);
  // One of ours rather than one of a person's, which is replaced only where it is the only one.
  const first = own.find(({ isGenerated: isOurs }) => isOurs) ?? own[0];
  if (first === undefined) return addLines(text, lines, [entry]);
  const doubles = own.filter((line) => line.isGenerated && line !== first);
  return edited(text, [
    edit(first, lineText(text, first, entry)),
    ...doubles.map((line) => edit(line, "")),
  ]);
}

/** Takes our lines of a topic out; what a person wrote about it stays. */
export function removeIndexLine(text: string, slug: TopicSlug): string {
  const ours = linesOf(parseIndexLines(text), slug).filter(({ isGenerated: isOurs }) => isOurs);
  return edited(
    text,
    ours.map((line) => edit(line, "")),
  );
}

export interface RepairedIndex {
  readonly text: string;
  /** Topics that had no line. */
  readonly added: readonly TopicSlug[];
  /** Lines whose topic is gone. */
  readonly dropped: readonly TopicSlug[];
}

/** Lines for topics that have none, and none of ours for topics that are gone; every other line stays as it is. */
export function repairIndex(
  text: string,
  {
    isThere,
    missing,
  }: {
    readonly isThere: (slug: TopicSlug) => boolean;
    /** The topics without a line, newest first. */
    readonly missing: readonly IndexEntry[];
  },
): RepairedIndex {
  const dead = parseIndexLines(text).filter(({ slug, isGenerated: isOurs }) => isOurs && !isThere(slug));
  const kept = edited(
    text,
    dead.map((line) => edit(line, "")),
  );
  return {
    text: missing.length === 0 ? kept : addLines(kept, parseIndexLines(kept), missing),
    added: missing.map(({ slug }) => slug),
    dropped: dead.map(({ slug }) => slug),
  };
}

/** Makes our lines anew from the topics, newest first; what a person wrote between them stays. */
export function rebuildIndex(text: string, entries: readonly IndexEntry[]): RepairedIndex {
  const byKey = new Map(entries.map((entry) => [slugKey(entry.slug), entry]));
  // Where a directory has two that differ in case only, each has its own line.
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
    return [edit(line, lineText(text, line, entry))];
  });
  const dead = lines.filter((line) => line.isGenerated && entryOf(line) === undefined);
  const named = new Set(lines.flatMap((line) => entryOf(line)?.slug ?? []));
  const missing = entries.filter(({ slug }) => !named.has(slug));
  const kept = edited(text, edits);
  return {
    text: missing.length === 0 ? kept : addLines(kept, parseIndexLines(kept), missing),
    added: missing.map(({ slug }) => slug),
    dropped: dead.map(({ slug }) => slug),
  };
}

/** How much of the limits a text takes, comments not counted. */
export function indexSize(text: string): { readonly lines: number; readonly bytes: number } {
  const commented = commentedPart(text);
  const stripped = stripComments(commented).text;
  const tail = commented === text ? stripped : text;
  const isOpen = tail !== "" && !tail.endsWith("\n");
  return {
    lines: lineEnds(text, commented.length) + lineEnds(stripped, 0) + (isOpen ? 1 : 0),
    bytes: utf8Bytes(text) - utf8Bytes(commented) + utf8Bytes(stripped),
  };
}

function lineEnds(text: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** What whoever writes must know about the room that is left; `undefined` while there is plenty. */
export function indexWarning(text: string): string | undefined {
  const { lines, bytes } = indexSize(text);
  if (lines < MAX_INDEX_LINES * WARN_SHARE && bytes < MAX_INDEX_BYTES * WARN_SHARE)
    return undefined;
  const isOver = lines > MAX_INDEX_LINES || bytes > MAX_INDEX_BYTES;
  const state = isOver
    ? "is over its limit: the lines at its end are no longer shown"
    : "is nearly full; what is beyond its limit will not be shown";
  const size = `${lines} of ${MAX_INDEX_LINES} lines, ${bytes} of ${MAX_INDEX_BYTES} bytes`;
  const target = `${MAX_INDEX_LINES * TARGET_SHARE} lines and ${MAX_INDEX_BYTES * TARGET_SHARE} bytes`;
  return `The index ${state} (${size}). Merge topics that belong together and delete stale ones, down to ${target}.`;
}

function shortened(description: string): string {
  const characters = Array.from(description);
  if (characters.length <= MAX_DESCRIPTION_CHARACTERS) return description;
  return `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}

/** The lines of a topic, else those of a name that differs in case only. */
function linesOf(lines: readonly IndexLine[], slug: TopicSlug): readonly IndexLine[] {
  const own = lines.filter((line) => line.slug === slug);
  const key = slugKey(slug);
  return own.length > 0 ? own : lines.filter((line) => slugKey(line.slug) === key);
}

/** A title, a link and a few words about it: how Claude Code writes a line, and many people. */
const TITLED = /^([ \t]*[-*+][ \t]+\[[^\]\\\n]+\]\()[^()\s]*(\)(?:[ \t]+[—–-]|:)[ \t]+)\S/;

/** An indented line stays indented, and a line with a title of somebody else's keeps it; only the words are new. */
function lineText(text: string, line: IndexLine, entry: IndexEntry): string {
  const now = text.slice(line.start, line.end);
  const titled = line.isGenerated ? null : TITLED.exec(now);
  if (titled !== null) {
    const [, title = "", end = ""] = titled;
    return `${title}${linkTarget(entry.slug)}${end}${aboutOf(entry.description)}\n`;
  }
  const indent = /^[ \t]*/.exec(now)?.[0] ?? "";
  return `${indent}${renderIndexLine(entry)}\n`;
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

/** A list right under a paragraph would be part of it for some readers. */
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

function edited(text: string, edits: readonly LineEdit[]): string {
  let end = 0;
  const parts = edits.map((next) => {
    const kept = text.slice(end, next.start);
    end = next.end;
    return kept + next.insert;
  });
  return parts.join("") + text.slice(end);
}
