import { utf8Bytes } from "@caliban/common";
import { lineKinds } from "./headings.ts";

/** The beginning of a text that fits. */
export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Keeps at most `maxBytes`: whole sections where one fits, else whole paragraphs, else whole lines, else characters. */
export function cutAtSection(text: string, maxBytes: number): CutText {
  if (utf8Bytes(text) <= maxBytes) return { text, isCut: false };
  const ends = endsWithin(text, maxBytes);
  const end = ends.section || ends.paragraph || ends.line;
  if (end === 0) return { text: wholeCharacters(text, maxBytes), isCut: true };
  return { text: `${text.slice(0, end).trimEnd()}\n`, isCut: true };
}

interface Ends {
  readonly section: number;
  readonly paragraph: number;
  readonly line: number;
}

/** The last place of each kind, as an offset; 0 where there is none. A heading that is code ends nothing. */
function endsWithin(text: string, maxBytes: number): Ends {
  const ends = { section: 0, paragraph: 0, line: 0 };
  const lines = text.split("\n");
  const { isHeading, isCode } = lineKinds(lines);
  let [at, bytes, hasText] = [0, 0, false];
  for (const [index, line] of lines.entries()) {
    if (bytes > maxBytes) break;
    if (hasText) {
      ends.line = at;
      if (isHeading[index] === true) ends.section = at;
      if (isCode[index] === false && line.trim() === "") ends.paragraph = at;
    }
    // A heading alone says nothing.
    hasText ||= line.trim() !== "" && isHeading[index] === false;
    at += line.length + 1;
    bytes += utf8Bytes(line) + 1;
  }
  return ends;
}

function wholeCharacters(text: string, maxBytes: number): string {
  let [kept, bytes] = ["", 0];
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
