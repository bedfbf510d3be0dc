import { terminalSafeLine } from "@caliban/common";

/** Characters without a visible shape, and every space after a space. */
const INVISIBLE = /[^\p{L}\p{N}\p{P}\p{S} ]|[\u115F\u1160\u2800\u3164\uFFA0]|(?<= ) /gu;

/** Text in which every character can be seen: invisible ones are written as `\u{…}`. */
export function visibleText(text: string): string {
  const visible = text.replace(
    INVISIBLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return terminalSafeLine(visible);
}

/** A word of a command line, quoted unless it is plain, so that its ends can be seen. */
export function visibleWord(text: string): string {
  const isPlain = /^[\p{L}\p{N}@%+=:,./_~-]+$/u.test(text) && visibleText(text) === text;
  return isPlain ? text : `"${visibleText(text.replace(/["\\]/g, "\\$&"))}"`;
}
