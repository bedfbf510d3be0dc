import { terminalSafeLine } from "@caliban/common";

/** What has no look or no place of its own, and a blank behind a blank. */
const UNSEEN = /[^\p{L}\p{N}\p{P}\p{S} ]|[\u115F\u1160\u2800\u3164\uFFA0]|(?<= ) /gu;

/** A text in which nothing is unseen: whatever else would not be noticed is spelled out. */
export function visibleText(text: string): string {
  const seen = text.replace(
    UNSEEN,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return terminalSafeLine(seen);
}

/** A word of a command line, in quotes where it would else not be seen where it begins and ends. */
export function visibleWord(text: string): string {
  const isPlain = /^[\p{L}\p{N}@%+=:,./_~-]+$/u.test(text) && visibleText(text) === text;
  return isPlain ? text : `"${visibleText(text.replace(/["\\]/g, "\\$&"))}"`;
}
