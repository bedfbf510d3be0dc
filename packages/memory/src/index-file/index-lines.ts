import { type Range, scanMarkdown } from "../markdown/regions.ts";
import { indexLineStart } from "./render-line.ts";
import { slugKey, slugFromFileName, slugFromPlainName, type TopicSlug } from "../topics/slug.ts";

/** A line of the index that leads to a topic. */
export interface IndexLine extends Range {
  readonly slug: TopicSlug;
  /** Whether it has the form that we give a line; any other is a person's. */
  readonly isGenerated: boolean;
}

// A list item that begins with a link, whoever wrote it.
const ITEM =
  /[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+[*_~]*\[(?:[^\]\\\n]|\\.)*\]\((<[^<>\n]*>|[^()\s]*)\)/y;
// Also right behind a comment, which is taken out before anybody reads on.
const FENCE = /(?:^|-->)[ \t>]*(?:```|~~~)/m;
const BLOCK_BEGINS = /^(?:[-*+] \S|#{1,6} |[ \t]*\n)/m;

/** Every line that leads to a topic; what stands in a comment or in a code block is no such line. */
export function parseIndexLines(text: string): readonly IndexLine[] {
  const hidden = hiddenRanges(text);
  const lines: IndexLine[] = [];
  let hiddenAt = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    while ((hidden[hiddenAt]?.end ?? Infinity) <= start) hiddenAt++;
    const isHidden = (hidden[hiddenAt]?.start ?? Infinity) <= start;
    const line = isHidden ? undefined : (ourLine(text, start, end) ?? anyLine(text, start, end));
    if (line !== undefined) lines.push(line);
    start = end;
  }
  return lines;
}

/** How many topics a text leads to. */
export function countListedTopics(text: string): number {
  return new Set(parseIndexLines(text).map(({ slug }) => slug)).size;
}

/** The topics that no line leads to. A line may have another case than the file it is for. */
export function unlistedSlugs(
  slugs: readonly TopicSlug[],
  lines: readonly IndexLine[],
): readonly TopicSlug[] {
  const there = new Set(slugs);
  const listed = new Set(lines.map(({ slug }) => slug));
  const loose = new Set(
    lines.filter(({ slug }) => !there.has(slug)).map(({ slug }) => slugKey(slug)),
  );
  return slugs.filter((slug) => !listed.has(slug) && !loose.has(slugKey(slug)));
}

/** The lines that we write, by hand: an index may have thousands, and a write goes through them all. */
function ourLine(text: string, start: number, end: number): IndexLine | undefined {
  if (!text.startsWith("- [", start)) return undefined;
  // No further than the line: a search to the end of the text from each of them takes quadratic time.
  const line = text.slice(start, end);
  const labelEnd = line.indexOf("](");
  if (labelEnd === -1) return undefined;
  const slug = slugFromPlainName(line.slice("- [".length, labelEnd));
  const targetStart = labelEnd + "](".length;
  const isOurs =
    slug !== undefined &&
    line.startsWith(slug, targetStart) &&
    line.startsWith(".md) — ", targetStart + slug.length);
  return isOurs ? { start, end, slug, isGenerated: isOurs } : undefined;
}

function anyLine(text: string, start: number, end: number): IndexLine | undefined {
  ITEM.lastIndex = start;
  const target = ITEM.exec(text)?.[1];
  if (target === undefined) return undefined;
  const path = target.startsWith("<") ? target.slice(1, -1) : target;
  const slug = slugFromFileName(decoded(path.replace(/^\.\//, "")));
  if (slug === undefined) return undefined;
  // A line that was indented when we put ours in its place still is.
  const isOurs = text.slice(start, end).trimStart().startsWith(indexLineStart(slug));
  return { start, end, slug, isGenerated: isOurs };
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

/** Where a code block begins that nobody closed: no line below it would be seen. */
export function unclosedFenceStart(text: string): number | undefined {
  if (!hasFence(text)) return undefined;
  const probe = `${text}\n-`;
  const open = scanMarkdown(probe).code.find(
    ({ kind, end }) => kind === "fenced" && end === probe.length,
  );
  return open && text.lastIndexOf("\n", open.start) + 1;
}

/** The marks are looked for first: that is a hundred times as fast as the pattern, and hardly any index has them. */
function hasFence(text: string): boolean {
  return (text.includes("```") || text.includes("~~~")) && FENCE.test(text);
}

/**
 * The line of a topic by its beginning, when there is just one of ours and nothing hidden could look like it: a long
 * index need not be gone through for it. `undefined` says nothing.
 */
export function findGeneratedLine(text: string, slug: TopicSlug): IndexLine | undefined {
  if (hasFence(text)) return undefined;
  const begin = indexLineStart(slug);
  const start = text.indexOf(begin, commentedPart(text).length);
  // Anywhere else it may be indented, or stand in the words of a person.
  if (start === -1 || text[start - 1] !== "\n" || text.includes(begin, start + 1)) return undefined;
  const newline = text.indexOf("\n", start);
  const end = newline === -1 ? text.length : newline + 1;
  return { start, end, slug, isGenerated: true };
}

/** The line of a topic as it stands in an index, whoever gave it its words. */
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
 * The beginning of a text up to the block after its last comment. A scan of a whole index of thousands of topics
 * would cost more than the write it is for, and the comments stand at its top.
 */
export function commentedPart(text: string): string {
  const close = text.lastIndexOf("-->");
  if (close === -1) return "";
  const lineEnd = text.indexOf("\n", close);
  if (lineEnd === -1) return text;
  const next = BLOCK_BEGINS.exec(text.slice(lineEnd + 1, lineEnd + 1 + 4096));
  return next === null ? text : text.slice(0, lineEnd + 1 + next.index);
}
