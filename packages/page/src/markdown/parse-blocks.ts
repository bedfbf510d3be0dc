import { type Inline, parseInline } from "./parse-inline.ts";

/** A block of a text. */
export type MarkdownBlock =
  | { readonly kind: "heading"; readonly level: number; readonly line: readonly Inline[] }
  | { readonly kind: "paragraph" | "quote"; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: "list"; readonly items: readonly ListItem[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" };

interface ListItem {
  readonly indent: number;
  /** `-` or the number. */
  readonly marker: string;
  readonly line: readonly Inline[];
}

/** Parses the common part of Markdown. What it does not know, such as HTML and tables, is a paragraph of its text. */
export function parseBlocks(text: string): readonly MarkdownBlock[] {
  const lines = text.split(/\r?\n/);
  const blocks: MarkdownBlock[] = [];
  for (let at = 0; at < lines.length;) {
    const { block, next } = blockAt(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

interface ParsedBlock {
  readonly block?: MarkdownBlock;
  readonly next: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const ITEM = /^( {0,12})([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;

function blockAt(lines: readonly string[], at: number): ParsedBlock {
  const line = lines[at] ?? "";
  if (line.trim() === "") return { next: at + 1 };
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return fencedCode(lines, at, fence);
  const [, marks, title] = HEADING.exec(line) ?? [];
  if (marks !== undefined && title !== undefined)
    return {
      block: { kind: "heading", level: marks.length, line: parseInline(title) },
      next: at + 1,
    };
  if (RULE.test(line)) return { block: { kind: "rule" }, next: at + 1 };
  if (ITEM.test(line)) return list(lines, at);
  if (QUOTE.test(line)) return quote(lines, at);
  return paragraph(lines, at);
}

/** Until the closing fence, or the end of the text. */
function fencedCode(lines: readonly string[], at: number, fence: string): ParsedBlock {
  const isEnd = (line: string): boolean => line.trim().startsWith(fence);
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? "")) end += 1;
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
}

function list(lines: readonly string[], at: number): ParsedBlock {
  const found = linesWhile(lines, at, (line) => ITEM.test(line));
  const items = found.map((line) => {
    const [, indent = "", marker = "-", text = ""] = ITEM.exec(line) ?? [];
    return { indent: Math.floor(indent.length / 2), marker, line: parseInline(text) };
  });
  return { block: { kind: "list", items }, next: at + found.length };
}

function quote(lines: readonly string[], at: number): ParsedBlock {
  const found = linesWhile(lines, at, (line) => QUOTE.test(line));
  const texts = found.map((line) => parseInline(QUOTE.exec(line)?.[1] ?? ""));
  return { block: { kind: "quote", lines: texts }, next: at + found.length };
}

function paragraph(lines: readonly string[], at: number): ParsedBlock {
  const found = linesWhile(lines, at, (line, index) => index === 0 || !startsBlock(line));
  return {
    block: { kind: "paragraph", lines: found.map((line) => parseInline(line)) },
    next: at + found.length,
  };
}

function startsBlock(line: string): boolean {
  return (
    line.trim() === "" || [FENCE, HEADING, RULE, ITEM, QUOTE].some((start) => start.test(line))
  );
}

function linesWhile(
  lines: readonly string[],
  at: number,
  belongs: (line: string, index: number) => boolean,
): readonly string[] {
  let end = at;
  while (end < lines.length && belongs(lines[end] ?? "", end - at)) end += 1;
  return lines.slice(at, end);
}
