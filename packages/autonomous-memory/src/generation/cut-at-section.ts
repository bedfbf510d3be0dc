import { utf8Bytes } from "@caliban/common";

/** The beginning of a text that fits. */
export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

const HEADING = /^#{2,6}\s/;
const FENCE = /^\s*(?:```|~~~)/;

/** Keeps at most `maxBytes`: whole sections where one fits, else whole paragraphs, else whole lines, else characters. */
export function cutAtSection(text: string, maxBytes: number): CutText {
  if (utf8Bytes(text) <= maxBytes) return { text, isCut: false };
  const ends = endsWithin(text, maxBytes);
  const end = ends.section || ends.paragraph || ends.line;
  const kept = end === 0 ? wholeCharacters(text, maxBytes) : text.slice(0, end);
  return {
    text: kept.trimEnd() === "" ? "" : `${kept.trimEnd()}\n`.slice(0, kept.length),
    isCut: true,
  };
}

interface Ends {
  readonly section: number;
  readonly paragraph: number;
  readonly line: number;
}

/** The last place of each kind, as an offset; 0 where there is none. A heading that is code ends nothing. */
function endsWithin(text: string, maxBytes: number): Ends {
  const ends = { section: 0, paragraph: 0, line: 0 };
  let [at, bytes, isCode, hasText] = [0, 0, false, false];
  for (const line of text.split("\n")) {
    if (bytes > maxBytes) break;
    ends.line = at;
    if (hasText && !isCode && HEADING.test(line)) ends.section = at;
    if (hasText && !isCode && line.trim() === "") ends.paragraph = at;
    if (FENCE.test(line)) isCode = !isCode;
    // A heading alone says nothing.
    hasText ||= line.trim() !== "" && !line.startsWith("#");
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
