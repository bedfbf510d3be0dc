import { classifyLines } from "./markdown-lines.ts";

/** The start of a text that fits. */
export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Keeps at most `maxBytes`: whole sections if one fits, otherwise whole paragraphs, whole lines or characters. */
export function cutAtSection(text: string, maxBytes: number): CutText {
  const length = lengthWithin(text, maxBytes);
  if (length === text.length) return { text, isCut: false };
  const ends = endsWithin(text, length);
  const end = ends.section || ends.paragraph || ends.line;
  if (end === 0) return { text: text.slice(0, length), isCut: true };
  return { text: `${text.slice(0, end).trimEnd()}\n`, isCut: true };
}

interface Ends {
  readonly section: number;
  readonly paragraph: number;
  readonly line: number;
}

/** The last end of each kind that is not after `length`; 0 if there is none. A heading inside code does not count. */
function endsWithin(text: string, length: number): Ends {
  const ends = { section: 0, paragraph: 0, line: 0 };
  const lineEnd = text.indexOf("\n", length);
  const lines = text.slice(0, lineEnd === -1 ? text.length : lineEnd).split("\n");
  const { isHeading, isCode } = classifyLines(lines);
  let [at, hasText] = [0, false];
  for (const [index, line] of lines.entries()) {
    if (at > length) break;
    if (hasText) {
      ends.line = at;
      if (isHeading[index] === true) ends.section = at;
      if (isCode[index] === false && line.trim() === "") ends.paragraph = at;
    }
    // A heading alone is not content.
    hasText ||= line.trim() !== "" && isHeading[index] === false;
    at += line.length + 1;
  }
  return ends;
}

/** How many UTF-16 units of a text, in whole characters, fit into a number of bytes. */
function lengthWithin(text: string, maxBytes: number): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
    if (bytes > maxBytes) return at;
    if (code >= 0x1_00_00) at++;
  }
  return text.length;
}
