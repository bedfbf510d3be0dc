/** A part of a text that is judged on its own: a sentence, a list item, a row of a table, or a block of code. */
export interface Statement {
  readonly text: string;
  readonly kind: "sentence" | "heading" | "code" | "name";
  /** The language of a block of code; empty if it names none. */
  readonly language?: string | undefined;
}

/** Splits Markdown into statements. Nothing is left out: what is not judged could hide an instruction. */
export function splitStatements(markdown: string): readonly Statement[] {
  const statements: Statement[] = [];
  let block: { readonly fence: string; readonly language: string; lines: string[] } | undefined;
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    statements.push(...sentencesOf(paragraph.join(" ")));
    paragraph = [];
  };
  for (const line of markdown.normalize("NFKC").split(/\r\n|[\n\r\u2028\u2029]/)) {
    const fence = /^\s*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    if (block !== undefined) {
      if (fence?.[1] !== undefined && fence[1].startsWith(block.fence)) {
        const text = block.lines.join("\n");
        statements.push({ kind: "code", text, language: block.language });
        block = undefined;
      } else block.lines.push(line);
    } else if (fence?.[1] !== undefined) {
      endParagraph();
      block = { fence: fence[1], language: (fence[2] ?? "").toLowerCase(), lines: [] };
    } else if (/^\s*#{1,6}\s/.test(line)) {
      endParagraph();
      statements.push({ kind: "heading", text: line.replace(/^\s*#+\s*/, "").trim() });
    } else if (line.trim() === "" || /^\s*(?:[-*+>|]|\d+[.)])/.test(line)) {
      endParagraph();
      paragraph.push(withoutMarker(line));
    } else paragraph.push(line.trim());
  }
  if (block !== undefined) {
    statements.push({ kind: "code", text: block.lines.join("\n"), language: block.language });
  }
  endParagraph();
  return statements.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
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
