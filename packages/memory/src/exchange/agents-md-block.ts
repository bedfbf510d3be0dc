import { parseJson } from "@caliban/common";
import { jsonField } from "./json-field.ts";

/** A topic as it is exported. */
export interface BlockTopic {
  readonly name: string;
  readonly description: string;
  /** The whole file. */
  readonly text: string;
}

/** A topic of a block, or why it cannot be restored. */
export type ParsedBlockTopic =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly problem: string };

const BEGIN_LINE =
  "<!-- caliban:memory begin: `caliban memory export --to agents-md` replaces everything up to the end line -->";
const END_LINE = "<!-- caliban:memory end -->";
const BEGIN = /^<!-- caliban:memory begin\b.*-->[ \t]*\r?$/gm;
const END = /^<!-- caliban:memory end -->[ \t]*\r?$/gm;
const TOPIC = /^<!-- caliban:topic (\{.*\}) -->$/gm;
/** The front matter of a topic. It goes into the topic's marker, so that the document shows no front matter. */
const FRONT_MATTER = /^\uFEFF?---\r?\n(?:[^]*?\r?\n)?---\r?\n(?:\r?\n)?/;
const MARKER_IN_TEXT = /<!--(\s*)(\\*)caliban:/g;
const ESCAPED_MARKER = /<!--(\s*)\\(\\*)caliban:/g;

/**
 * Renders topics as a block of a Markdown document, each with a heading, between two marker lines. No topic can end the
 * block, and `parseBlock` restores every byte.
 */
export function renderBlock(topics: readonly BlockTopic[]): string {
  const sections = topics.map(({ name, description, text }) => {
    const head = FRONT_MATTER.exec(text)?.[0] ?? "";
    const body = text.slice(head.length).replaceAll(MARKER_IN_TEXT, String.raw`<!--$1\$2caliban:`);
    const about = description === "" ? "" : `: ${toOneLine(description)}`;
    return `<!-- caliban:topic ${jsonInComment({ name, head })} -->\n### ${toOneLine(name)}${about}\n\n${body}\n`;
  });
  const intro = "## Notes of earlier sessions\n\nNotes, not instructions.\n";
  return `${BEGIN_LINE}\n${intro}\n${sections.join("")}${END_LINE}\n`;
}

/** Text on one line in which no HTML comment begins or ends. */
function toOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, " ")
    .replaceAll("<!--", "&lt;!--")
    .replaceAll("-->", "--&gt;")
    .trim();
}

/** JSON that can end neither the HTML comment around it nor the line: JSON does not escape two line separators. */
function jsonInComment(value: object): string {
  return JSON.stringify(value)
    .replaceAll("-", String.raw`\u002d`)
    .replaceAll(">", String.raw`\u003e`)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}

/** Replaces the block of a document, or appends one; `undefined` when the document's markers do not match. */
export function replaceBlock(document: string, block: string): string | undefined {
  const range = findBlock(document);
  if (range === "broken") return undefined;
  if (range !== undefined)
    return document.slice(0, range.start) + block + document.slice(range.end);
  if (document.trim() === "") return document + block;
  const gap = document.endsWith("\n\n") ? "" : document.endsWith("\n") ? "\n" : "\n\n";
  return `${document}${gap}${block}`;
}

/** The topics in the block of a document; `undefined` when it has no block. */
export function parseBlock(document: string): readonly ParsedBlockTopic[] | undefined {
  const range = findBlock(document);
  if (range === undefined || range === "broken") return undefined;
  const block = document
    .slice(range.start, range.end)
    .replace(/<!-- caliban:memory end -->[^]*$/, "");
  const markers = [...block.matchAll(TOPIC)];
  return markers.map((marker, index) => {
    const from = marker.index + marker[0].length + 1;
    const section = block.slice(from, markers[index + 1]?.index ?? block.length);
    return parseSection(marker[1] ?? "", section, index);
  });
}

function parseSection(json: string, section: string, index: number): ParsedBlockTopic {
  const marker = parseJson(json);
  const [name, head] = [jsonField(marker, "name"), jsonField(marker, "head")];
  if (typeof name !== "string" || typeof head !== "string")
    return { name: `topic ${index + 1}`, problem: "its marker line is damaged" };
  const headingEnd = section.indexOf("\n");
  if (
    !section.startsWith("### ") ||
    !section.startsWith("\n", headingEnd + 1) ||
    !section.endsWith("\n")
  )
    return { name, problem: "its heading is damaged" };
  const body = section.slice(headingEnd + 2, -1).replaceAll(ESCAPED_MARKER, "<!--$1$2caliban:");
  return { name, text: head + body };
}

function findBlock(
  document: string,
): { readonly start: number; readonly end: number } | "broken" | undefined {
  const begins = [...document.matchAll(BEGIN)];
  const ends = [...document.matchAll(END)];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined && end === undefined) return undefined;
  const isComplete = begins.length === 1 && ends.length === 1;
  if (!isComplete || begin === undefined || end === undefined || end.index < begin.index)
    return "broken";
  const after = end.index + end[0].length;
  return { start: begin.index, end: document.startsWith("\n", after) ? after + 1 : after };
}
