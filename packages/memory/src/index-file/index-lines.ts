import { type Range, scanMarkdown } from "../markdown/regions.ts";
import { indexLineStart } from "./render-line.ts";
import { slugFromFileName, slugFromPlainName, slugKey, type TopicSlug } from "../topics/slug.ts";

/** A line of the index that links to a topic. */
export interface IndexLine extends Range {
  readonly slug: TopicSlug;
  /** Whether the line has the generated form; any other line is hand-written. */
  readonly isGenerated: boolean;
}

// A list item that starts with a link, generated or not.
const ITEM =
  /[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+[*_~]*\[(?:[^\]\\\n]|\\.)*\]\((<[^<>\n]*>|[^()\s]*)\)/y;
// A fence may also follow a comment directly, because comments are removed before the text is read.
const FENCE = /(?:^|-->)[ \t>]*(?:```|~~~)/m;
const BLOCK_START = /^(?:[-*+] \S|#{1,6} |[ \t]*\n)/m;

/** Every line that links to a topic, except in comments and code blocks. */
export function parseIndexLines(text: string): readonly IndexLine[] {
  const hidden = hiddenRanges(text);
  const lines: IndexLine[] = [];
  let hiddenAt = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    while ((hidden[hiddenAt]?.end ?? Infinity) <= start) hiddenAt++;
    const isHidden = (hidden[hiddenAt]?.start ?? Infinity) <= start;
    const line = isHidden
      ? undefined
      : (generatedLine(text, start, end) ?? anyLine(text, start, end));
    if (line !== undefined) lines.push(line);
    start = end;
  }
  return lines;
}

/** How many topics a text links to. */
export function countListedTopics(text: string): number {
  return new Set(parseIndexLines(text).map(({ slug }) => slug)).size;
}

/** The topics without a line. The name in a line may differ from the file name in case. */
export function unlistedSlugs(
  slugs: readonly TopicSlug[],
  lines: readonly IndexLine[],
): readonly TopicSlug[] {
  const existing = new Set(slugs);
  const listed = new Set(lines.map(({ slug }) => slug));
  const otherCase = new Set(
    lines.filter(({ slug }) => !existing.has(slug)).map(({ slug }) => slugKey(slug)),
  );
  return slugs.filter((slug) => !listed.has(slug) && !otherCase.has(slugKey(slug)));
}

/** Parses a generated line without a pattern: an index may have thousands of them, and every write parses them all. */
function generatedLine(text: string, start: number, end: number): IndexLine | undefined {
  if (!text.startsWith("- [", start)) return undefined;
  // Searches only this line: searching from every line to the end of the text would take quadratic time.
  const line = text.slice(start, end);
  const labelEnd = line.indexOf("](");
  if (labelEnd === -1) return undefined;
  const slug = slugFromPlainName(line.slice("- [".length, labelEnd));
  const targetStart = labelEnd + "](".length;
  const isGenerated =
    slug !== undefined &&
    line.startsWith(slug, targetStart) &&
    line.startsWith(".md) — ", targetStart + slug.length);
  return isGenerated ? { start, end, slug, isGenerated } : undefined;
}

function anyLine(text: string, start: number, end: number): IndexLine | undefined {
  ITEM.lastIndex = start;
  const target = ITEM.exec(text)?.[1];
  if (target === undefined) return undefined;
  const path = target.startsWith("<") ? target.slice(1, -1) : target;
  const slug = slugFromFileName(decoded(path.replace(/^\.\//, "")));
  if (slug === undefined) return undefined;
  // A generated line that replaced an indented one is indented, too.
  const isGenerated = text.slice(start, end).trimStart().startsWith(indexLineStart(slug));
  return { start, end, slug, isGenerated };
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return path;
  }
}

/** Where an unclosed code block starts: no line below it would be recognized. */
export function unclosedFenceStart(text: string): number | undefined {
  if (!hasFence(text)) return undefined;
  const probe = `${text}\n-`;
  const open = scanMarkdown(probe).code.find(
    ({ kind, end }) => kind === "fenced" && end === probe.length,
  );
  return open && text.lastIndexOf("\n", open.start) + 1;
}

/** Searches for the markers first: that is a hundred times as fast as the pattern, and hardly any index has them. */
function hasFence(text: string): boolean {
  return (text.includes("```") || text.includes("~~~")) && FENCE.test(text);
}

/**
 * Finds the generated line of a topic by its start, without parsing a long index. Works only if there is exactly one such
 * line and no hidden text could look like it; `undefined` does not mean that there is no line.
 */
export function findGeneratedLine(text: string, slug: TopicSlug): IndexLine | undefined {
  if (hasFence(text)) return undefined;
  const lineStart = indexLineStart(slug);
  const start = text.indexOf(lineStart, commentedPart(text).length);
  // Elsewhere it may be indented or part of hand-written text.
  if (start === -1 || text[start - 1] !== "\n" || text.includes(lineStart, start + 1))
    return undefined;
  const newline = text.indexOf("\n", start);
  const end = newline === -1 ? text.length : newline + 1;
  return { start, end, slug, isGenerated: true };
}

/** The line of a topic as it is in the index, generated or hand-written. */
export function currentIndexLine(text: string, slug: TopicSlug): string | undefined {
  const line =
    findGeneratedLine(text, slug) ??
    parseIndexLines(text).find((other) => slugKey(other.slug) === slugKey(slug));
  return line === undefined ? undefined : text.slice(line.start, line.end).trim();
}

/** Comments and fenced code. */
function hiddenRanges(text: string): readonly Range[] {
  if (hasFence(text)) {
    const { code, comments } = scanMarkdown(text);
    const fenced = code.filter(({ kind }) => kind === "fenced");
    return [...comments, ...fenced].toSorted((one, other) => one.start - other.start);
  }
  return scanMarkdown(commentedPart(text)).comments;
}

/**
 * The start of a text, up to the block after its last comment. Comments are at the top of an index, and scanning
 * thousands of lines below them would cost more than the write itself.
 */
export function commentedPart(text: string): string {
  const close = lastCommentEnd(text);
  if (close === -1) return "";
  const lineEnd = text.indexOf("\n", close);
  if (lineEnd === -1) return text;
  const next = BLOCK_START.exec(text.slice(lineEnd + 1, lineEnd + 1 + 4096));
  return next === null ? text : text.slice(0, lineEnd + 1 + next.index);
}

/** Like `lastIndexOf("-->")`, but ten times as fast: an index has many hyphens and hardly any `>`. */
function lastCommentEnd(text: string): number {
  let last = -1;
  for (let at = text.indexOf(">"); at !== -1; at = text.indexOf(">", at + 1)) {
    if (text.startsWith("--", at - 2)) last = at - 2;
  }
  return last;
}
