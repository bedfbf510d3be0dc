import { STOP_WORDS } from "../../packages/memory/src/search/analyzer/stop-words.ts";

/** The words of a text in lower case, as often as they are there. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The same without those that say nothing; all of them where nothing else is left. */
export function tellingWords(text: string): readonly string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length === 0 ? words : telling;
}

/** What FTS5 is asked so that any of the words will do. */
export function anyOf(words: readonly string[]): string {
  return [...new Set(words)].map((word) => `"${word}"`).join(" OR ");
}
