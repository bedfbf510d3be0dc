import { utf8Bytes } from "@caliban/common";

/** A text in two: what fits, and the rest. Joined they are the text. */
export interface CutText {
  readonly shown: string;
  readonly rest: string;
}

/** Cuts before a heading, or before a line when not even the first section fits; never within a line. */
export function cutAtSection(text: string, maxBytes: number): CutText {
  const bySection = cutBetween(text.split(/^(?=#{1,6} )/m), maxBytes);
  return bySection.shown === "" ? cutBetween(text.split(/(?<=\n)/), maxBytes) : bySection;
}

function cutBetween(pieces: readonly string[], maxBytes: number): CutText {
  let room = maxBytes;
  const over = pieces.findIndex((piece) => {
    room -= utf8Bytes(piece);
    return room < 0;
  });
  if (over === -1) return { shown: pieces.join(""), rest: "" };
  return { shown: pieces.slice(0, over).join(""), rest: pieces.slice(over).join("") };
}

/** The beginning of a text, in whole characters. */
export function firstBytes(text: string, maxBytes: number): string {
  if (utf8Bytes(text) <= maxBytes) return text;
  const bytes = new TextEncoder().encode(text.slice(0, maxBytes)).subarray(0, maxBytes);
  return new TextDecoder().decode(bytes, { stream: true });
}
