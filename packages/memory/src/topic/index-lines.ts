import { type Range, scanMarkdown } from "../markdown-regions.ts";
import { slugOfFile, slugOfPlainName, type TopicSlug } from "./slug.ts";

/** A line of the index that leads to a topic. */
export interface IndexLine extends Range {
  readonly slug: TopicSlug;
}

// A list item that begins with a link, whoever wrote it.
const ITEM =
  /[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+[*_~]*\[(?:[^\]\\\n]|\\.)*\]\((<[^<>\n]*>|[^()\s]*)\)/y;
// Also right behind a comment, which is taken out before anybody reads on.
const FENCE = /(?:^|-->)[ \t>]*(?:```|~~~)/m;
const BLOCK_BEGINS = /^(?:[-*+] \S|#{1,6} |[ \t]*\n)/m;

/** Every line that leads to a topic; what stands in a comment or in a code block is no such line. */
export function indexLines(text: string): readonly IndexLine[] {
  const hidden = hiddenRanges(text);
  const lines: IndexLine[] = [];
  let hiddenAt = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    while ((hidden[hiddenAt]?.end ?? Infinity) <= start) hiddenAt++;
    const isHidden = (hidden[hiddenAt]?.start ?? Infinity) <= start;
    const slug = isHidden ? undefined : slugInLine(text, start);
    if (slug !== undefined) lines.push({ start, end, slug });
    start = end;
  }
  return lines;
}

/** How many topics a text leads to. */
export function countIndexLines(text: string): number {
  return new Set(indexLines(text).map(({ slug }) => slug)).size;
}

function slugInLine(text: string, start: number): TopicSlug | undefined {
  return slugInOwnLine(text, start) ?? slugInAnyLine(text, start);
}

/** The lines that we write, by hand: an index may have thousands, and a write goes through them all. */
function slugInOwnLine(text: string, start: number): TopicSlug | undefined {
  if (!text.startsWith("- [", start)) return undefined;
  const labelEnd = text.indexOf("](", start);
  const slug = text.slice(start + "- [".length, Math.max(start, labelEnd));
  const targetStart = labelEnd + "](".length;
  const isOwn =
    text.startsWith(slug, targetStart) && text.startsWith(".md)", targetStart + slug.length);
  return isOwn ? slugOfPlainName(slug) : undefined;
}

function slugInAnyLine(text: string, start: number): TopicSlug | undefined {
  ITEM.lastIndex = start;
  const target = ITEM.exec(text)?.[1];
  if (target === undefined) return undefined;
  const path = target.startsWith("<") ? target.slice(1, -1) : target;
  return slugOfFile(decoded(path.replace(/^\.\//, "")));
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
export function openFence(text: string): number | undefined {
  if (!FENCE.test(text)) return undefined;
  const probe = `${text}\n-`;
  const open = scanMarkdown(probe).code.find(
    ({ kind, end }) => kind === "fenced" && end === probe.length,
  );
  return open && text.lastIndexOf("\n", open.start) + 1;
}

/** Comments and fenced code. */
function hiddenRanges(text: string): readonly Range[] {
  if (FENCE.test(text)) {
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
