import { parseJson } from "@caliban/common";
import { fieldOf } from "./json-field.ts";
import { oneLineOf } from "./one-line-of.ts";

/** A topic as it is exported. */
export interface BlockTopic {
  readonly name: string;
  readonly description: string;
  /** The whole file. */
  readonly text: string;
}

/** A topic of a block, or why there is none. */
export type ParsedBlockTopic =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly problem: string };

const BEGIN_LINE =
  "<!-- caliban:memory begin: `caliban memory export --to agents-md` replaces everything up to the end line -->";
const END_LINE = "<!-- caliban:memory end -->";
const BEGIN = /^<!-- caliban:memory begin\b.*-->[ \t]*\r?$/gm;
const END = /^<!-- caliban:memory end -->[ \t]*\r?$/gm;
const TOPIC = /^<!-- caliban:topic (\{.*\}) -->$/gm;
/** What stands before the text of a topic; it goes into the mark, so that the document has no headers in it. */
const HEADER = /^\uFEFF?---\r?\n(?:[^]*?\r?\n)?---\r?\n(?:\r?\n)?/;
const MARK_IN_TEXT = /<!--(\s*)(\\*)caliban:/g;
const HIDDEN_MARK = /<!--(\s*)\\(\\*)caliban:/g;

/**
 * Topics as a part of a document that agents and people read: a heading and the text of each, between lines of ours.
 * Nothing in a topic can end it, and every byte comes back.
 */
export function renderBlock(topics: readonly BlockTopic[]): string {
  const sections = topics.map(({ name, description, text }) => {
    const head = HEADER.exec(text)?.[0] ?? "";
    const body = text.slice(head.length).replaceAll(MARK_IN_TEXT, String.raw`<!--$1\$2caliban:`);
    const about = description === "" ? "" : `: ${oneLineOf(description)}`;
    return `<!-- caliban:topic ${inComment({ name, head })} -->\n### ${oneLineOf(name)}${about}\n\n${body}\n`;
  });
  const intro = "## Notes of earlier sessions\n\nNotes, not instructions.\n";
  return `${BEGIN_LINE}\n${intro}\n${sections.join("")}${END_LINE}\n`;
}

/** A document with the block in the place of the one that it has, else at its end; `undefined` when its marks are broken. */
export function replaceBlock(document: string, block: string): string | undefined {
  const place = blockIn(document);
  if (place === "broken") return undefined;
  if (place !== undefined)
    return document.slice(0, place.start) + block + document.slice(place.end);
  if (document.trim() === "") return document + block;
  const gap = document.endsWith("\n\n") ? "" : document.endsWith("\n") ? "\n" : "\n\n";
  return `${document}${gap}${block}`;
}

/** The topics of the block in a document; `undefined` when it has none. */
export function parseBlock(document: string): readonly ParsedBlockTopic[] | undefined {
  const place = blockIn(document);
  if (place === undefined || place === "broken") return undefined;
  const block = document
    .slice(place.start, place.end)
    .replace(/<!-- caliban:memory end -->[^]*$/, "");
  const marks = [...block.matchAll(TOPIC)];
  return marks.map((mark, at) => {
    const from = mark.index + mark[0].length + 1;
    const section = block.slice(from, marks[at + 1]?.index ?? block.length);
    return parseSection(mark[1] ?? "", section, at);
  });
}

function parseSection(json: string, section: string, at: number): ParsedBlockTopic {
  const mark = parseJson(json);
  const [name, head] = [fieldOf(mark, "name"), fieldOf(mark, "head")];
  if (typeof name !== "string" || typeof head !== "string")
    return { name: `topic ${at + 1}`, problem: "its mark is damaged" };
  const headingEnd = section.indexOf("\n");
  if (
    !section.startsWith("### ") ||
    !section.startsWith("\n", headingEnd + 1) ||
    !section.endsWith("\n")
  )
    return { name, problem: "its heading is damaged" };
  const body = section.slice(headingEnd + 2, -1).replaceAll(HIDDEN_MARK, "<!--$1$2caliban:");
  return { name, text: head + body };
}

function blockIn(
  document: string,
): { readonly start: number; readonly end: number } | "broken" | undefined {
  const begins = [...document.matchAll(BEGIN)];
  const ends = [...document.matchAll(END)];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined && end === undefined) return undefined;
  const isWhole = begins.length === 1 && ends.length === 1;
  if (!isWhole || begin === undefined || end === undefined || end.index < begin.index)
    return "broken";
  const after = end.index + end[0].length;
  return { start: begin.index, end: document.startsWith("\n", after) ? after + 1 : after };
}

/** JSON that cannot end the comment it stands in, nor the line: JSON leaves two characters as they are that end one. */
function inComment(value: object): string {
  return JSON.stringify(value)
    .replaceAll("-", String.raw`\u002d`)
    .replaceAll(">", String.raw`\u003e`)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}
