import { estimateTokens } from "@caliban/common";
import { splitSentences } from "./sentences.ts";

/** How much of a memory a note contains. */
export const MAX_NOTE_TOKENS = 80;

/** Puts a text on one line, and cuts it at the end of a sentence; a long first sentence is cut at the end of a word. */
export function fitText(text: string, maxTokens: number = MAX_NOTE_TOKENS): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  if (estimateTokens(line) <= maxTokens) return line;
  const ends = splitSentences(line).map(({ to }) => to);
  const end = ends.findLast((at) => estimateTokens(line.slice(0, at)) <= maxTokens);
  return end === undefined ? cutAtWord(line, maxTokens) : line.slice(0, end);
}

function cutAtWord(line: string, maxTokens: number): string {
  const words = line.split(" ");
  let low = 0;
  let high = words.length;
  const cut = (count: number): string => `${words.slice(0, count).join(" ")}…`;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(cut(middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? cutAtCharacter(line, maxTokens) : cut(low);
}

/** For one word that is longer than a note. */
function cutAtCharacter(line: string, maxTokens: number): string {
  const characters = Array.from(line.slice(0, maxTokens * 4));
  while (characters.length > 0 && estimateTokens(`${characters.join("")}…`) > maxTokens) {
    characters.length -= Math.ceil(characters.length / 8);
  }
  return characters.length === 0 ? "" : `${characters.join("")}…`;
}
