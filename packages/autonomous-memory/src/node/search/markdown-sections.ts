/** A heading of a Markdown text, and everything below it up to the next heading. */
export interface MarkdownSection {
  /** The headings that lead to it; empty before the first heading. */
  readonly path: readonly string[];
  readonly body: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]/;
const MAX_HEADING_CHARACTERS = 200;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Splits a text into its non-empty sections, in order. Headings inside code blocks do not count. */
export function splitSections(text: string): readonly MarkdownSection[] {
  const sections: { path: readonly string[]; lines: string[] }[] = [{ path: [], lines: [] }];
  const isCode = createCodeTest();
  let above: readonly Heading[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n?|\n/)) {
    const heading = isCode(line) ? undefined : parseHeading(line);
    if (heading === undefined) {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    above = [...above.filter(({ level }) => level < heading.level), heading];
    sections.push({ path: above.map((parent) => parent.text), lines: [] });
  }
  return sections
    .map(({ path, lines }) => ({ path, body: lines.join("\n").trim() }))
    .filter(({ body }) => body !== "");
}

interface Heading {
  readonly level: number;
  readonly text: string;
}

function parseHeading(line: string): Heading | undefined {
  const found = HEADING.exec(line);
  const text = found === null ? "" : withoutClosing(line.slice(found[0].length).trim());
  if (text === "") return undefined;
  const level = found?.[1]?.length ?? 1;
  return { level, text: text.slice(0, MAX_HEADING_CHARACTERS).toWellFormed() };
}

/** Removes closing `#` marks after a space. Without a regular expression, so that it takes linear time. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end--;
  const isClosed = end > 0 && end < text.length && /[ \t]/.test(text[end - 1] ?? "");
  return isClosed ? text.slice(0, end).trimEnd() : text;
}

/** Must be called with every line. A code block ends with a fence of the same kind that is at least as long. */
function createCodeTest(): (line: string) => boolean {
  let open: string | undefined;
  return (line) => {
    const fence = FENCE.exec(line)?.[1];
    if (fence === undefined) return open !== undefined;
    if (open === undefined) open = fence;
    else if (fence.startsWith(open)) open = undefined;
    return true;
  };
}

const MAX_SENTENCE_CHARACTERS = 200;

/** Describes a section by the first sentence of its body, without a list marker. */
export function sectionDescription(body: string): string {
  const [line = ""] = body.trim().split("\n", 1);
  const text = line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, "").trim();
  const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
  if (sentence.length <= MAX_SENTENCE_CHARACTERS) return sentence;
  return `${sentence.slice(0, MAX_SENTENCE_CHARACTERS - 1).toWellFormed()}…`;
}
