/** A piece of a Markdown text: a heading, and what stands below it up to the next one. */
export interface MemorySection {
  /** The headings that lead to it; empty before the first one. */
  readonly path: readonly string[];
  readonly body: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]/;
/** What is longer is no heading that anybody reads. */
const LONGEST_HEADING = 200;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The sections that say something, in order. What looks like a heading inside of code is none. */
export function splitSections(text: string): readonly MemorySection[] {
  const sections: { path: readonly string[]; lines: string[] }[] = [{ path: [], lines: [] }];
  const isInCode = createCodeTest();
  let above: readonly Heading[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n?|\n/)) {
    const heading = isInCode(line) ? undefined : headingIn(line);
    if (heading === undefined) {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    above = [...above.filter(({ level }) => level < heading.level), heading];
    sections.push({ path: above.map(({ words }) => words), lines: [] });
  }
  return sections
    .map(({ path, lines }) => ({ path, body: lines.join("\n").trim() }))
    .filter(({ body }) => body !== "");
}

interface Heading {
  readonly level: number;
  readonly words: string;
}

function headingIn(line: string): Heading | undefined {
  const found = HEADING.exec(line);
  const words = found === null ? "" : withoutClosing(line.slice(found[0].length).trim());
  if (words === "") return undefined;
  return { level: found?.[1]?.length ?? 1, words: words.slice(0, LONGEST_HEADING).toWellFormed() };
}

/** Marks at the end of a heading close it where they stand alone. By hand, so that a line takes as long as it is long. */
function withoutClosing(words: string): string {
  let end = words.length;
  while (end > 0 && words[end - 1] === "#") end--;
  const isClosed = end > 0 && end < words.length && /[ \t]/.test(words[end - 1] ?? "");
  return isClosed ? words.slice(0, end).trimEnd() : words;
}

/** Is to be told every line. Code ends with a mark of the same kind that is at least as long. */
function createCodeTest(): (line: string) => boolean {
  let open: string | undefined;
  return (line) => {
    const mark = FENCE.exec(line)?.[1];
    if (mark === undefined) return open !== undefined;
    if (open === undefined) open = mark;
    else if (mark.startsWith(open)) open = undefined;
    return true;
  };
}

const LONGEST_SENTENCE = 200;

/** The first sentence of a text, without the mark of a list. */
export function firstSentence(body: string): string {
  const [line = ""] = body.trim().split("\n", 1);
  const text = line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, "").trim();
  const sentence = /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
  if (sentence.length <= LONGEST_SENTENCE) return sentence;
  return `${sentence.slice(0, LONGEST_SENTENCE - 1).toWellFormed()}…`;
}
