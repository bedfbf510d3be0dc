import { STOP_WORDS } from "../../packages/memory/src/search/analyzer/stop-words.ts";

/** Splits a text into lower-case words, with duplicates. */
export function tokenize(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Splits a text into words without stop words, or into all of them if nothing else is left. */
export function significantTokens(text: string): readonly string[] {
  const words = tokenize(text);
  const significant = words.filter((word) => !STOP_WORDS.has(word));
  return significant.length === 0 ? words : significant;
}

/** An FTS5 query that matches any of the words. */
export function matchAny(words: readonly string[]): string {
  return [...new Set(words)].map((word) => `"${word}"`).join(" OR ");
}
