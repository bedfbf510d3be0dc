import { sanitize } from "@caliban/memory";

/** A text of others as a part of a line of ours: it ends no line, is not long, and poses as none of our frames. */
export function harmlessLine(text: string, maxCharacters: number): string {
  // Spaces that are taken out may leave room for more; nobody needs much of it.
  const line = text
    .slice(0, maxCharacters * 4)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  const isCut = line.length > maxCharacters || text.length > maxCharacters * 4;
  return sanitize(isCut ? `${line.slice(0, maxCharacters).toWellFormed()}…` : line);
}
