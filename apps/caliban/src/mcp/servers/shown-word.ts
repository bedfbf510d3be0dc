import { terminalSafeLine } from "@caliban/common";

/** What is seen as it is: letters, digits, marks that take a place of their own. */
const UNSEEN = /[^\p{L}\p{N}\p{P}\p{S} ]|[\u115F\u1160\u2800\u3164\uFFA0]|(?<= ) /gu;

/** A text in which nothing is unseen: what has no look of its own, and blanks behind a blank, are spelled out. */
export function shownText(text: string): string {
  const seen = text
    .normalize("NFC")
    .replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return terminalSafeLine(seen);
}

/** A word of a command line, in quotes where it would else not be seen where it begins and ends. */
export function shownWord(text: string): string {
  const isPlain = /^[\p{L}\p{N}@%+=:,./_~-]+$/u.test(text);
  return isPlain ? shownText(text) : `"${shownText(text.replace(/["\\]/g, "\\$&"))}"`;
}
