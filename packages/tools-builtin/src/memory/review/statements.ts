/** A part of a text that is judged on its own: a sentence, a list item, a row of a table, or a block of code. */
export interface Statement {
  readonly text: string;
  readonly kind: "sentence" | "heading" | "code" | "name";
  /** The language of a block of code; empty if it names none. */
  readonly language?: string | undefined;
}

/** Splits Markdown into statements. Nothing is left out: what is not judged could hide an instruction. */
export function splitStatements(markdown: string): readonly Statement[] {
  const lines = breakLongRuns(markdown.normalize("NFKC")).split(/\r\n|[\n\r\u2028\u2029]/);
  return splitBlocks(lines)
    .flatMap((block) => (block.kind === "code" ? toCode(block) : textStatements(block.lines)))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** Splits words that no one writes, because patterns take time with the square of their length. */
function breakLongRuns(text: string): string {
  return text.replaceAll(LONG_WORD, "$& ");
}

const LONG_WORD = /\S{200}/gu;

interface Block {
  readonly kind: "text" | "code";
  readonly fence: string;
  readonly language: string;
  readonly lines: string[];
}

const FENCE = /^\s*(`{3,}|~{3,})\s*([\w+-]*)/;

/** Text and fenced code, in turns. A block that is never closed reaches to the end. */
function splitBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [textBlock()];
  for (const line of lines) {
    const block = blocks.at(-1) ?? textBlock();
    const [, fence, language = ""] = FENCE.exec(line) ?? [];
    if (fence === undefined || (block.kind === "code" && !fence.startsWith(block.fence))) {
      block.lines.push(line);
    } else if (block.kind === "code") blocks.push(textBlock());
    else blocks.push({ kind: "code", fence, language: language.toLowerCase(), lines: [] });
  }
  return blocks;
}

function textBlock(): Block {
  return { kind: "text", fence: "", language: "", lines: [] };
}

function toCode({ lines, language }: Block): Statement {
  return { kind: "code", text: lines.join("\n"), language };
}

const HEADING = /^\s*#{1,6}\s+/;
const LIST_ITEM = /^\s*(?:[-*+>|]|\d+[.)])/;

/** Headings, and the sentences of paragraphs, list items and rows. */
function textStatements(lines: readonly string[]): readonly Statement[] {
  const paragraphs: { readonly kind: "sentence" | "heading"; text: string }[] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1);
    const isNew = last === undefined || last.kind === "heading" || last.text === "";
    if (HEADING.test(line)) {
      paragraphs.push({ kind: "heading", text: line.replace(HEADING, "").trim() });
    } else if (line.trim() === "") paragraphs.push({ kind: "sentence", text: "" });
    else if (isNew || LIST_ITEM.test(line)) {
      paragraphs.push({ kind: "sentence", text: withoutMarker(line) });
    } else last.text = `${last.text} ${line.trim()}`;
  }
  return paragraphs.flatMap(({ kind, text }) =>
    kind === "heading" ? [{ kind, text }] : sentencesOf(text),
  );
}

function withoutMarker(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-*+>]|\d+[.)])\s+/, "")
    .replace(/^\[[ xX]\]\s+/, "")
    .replaceAll("|", " | ")
    .trim();
}

/** Not at the dot of a file name or a number, and not inside a code span. */
const SENTENCE_END = /(?<=[.!?…。！？;](?:["'”’)*_`])*)\s+(?=\S)|(?<=[。！？])/u;

function sentencesOf(paragraph: string): readonly Statement[] {
  return paragraph
    .split(SENTENCE_END)
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => ({ kind: "sentence", text }));
}
