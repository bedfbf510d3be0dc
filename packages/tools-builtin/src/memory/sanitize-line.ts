import { terminalSafeLine } from "@caliban/common";
import { sanitize } from "@caliban/memory";

// What is not seen, besides what holds an emoji or a word together.
const UNSEEN = /(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/gu;

/** A text of others as a part of a line of ours: it ends no line, is not long, and poses as none of our frames. */
export function sanitizeLine(text: string, maxCharacters: number): string {
  // Spaces that are taken out may leave room for more; nobody needs much of it.
  const plain = text
    .slice(0, maxCharacters * 4)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  const line = terminalSafeLine(plain).replaceAll(UNSEEN, "");
  const isCut = line.length > maxCharacters || text.length > maxCharacters * 4;
  return sanitize(isCut ? `${line.slice(0, maxCharacters).toWellFormed()}…` : line);
}
