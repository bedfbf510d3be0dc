import { ALLOWED_PHRASES } from "./allowed-phrases.ts";
import { BANNED_PHRASES } from "./banned-phrases.ts";

interface FoundPhrase {
  /** Counted from 1. */
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** Every banned phrase in a text that the allow list does not cover. */
export function findBannedPhrases(file: string, text: string): readonly FoundPhrase[] {
  const allowed = ALLOWED_PHRASES.filter(
    ({ path }) => file === path || file.startsWith(path.endsWith("/") ? path : `${path}/`),
  );
  return text.split("\n").flatMap((content, index) => {
    if (allowed.some((each) => content.includes(each.text))) return [];
    return BANNED_PHRASES.flatMap(({ pattern, instead }) => {
      const phrase = pattern.exec(content)?.[0];
      return phrase === undefined ? [] : [{ line: index + 1, phrase, instead }];
    });
  });
}
