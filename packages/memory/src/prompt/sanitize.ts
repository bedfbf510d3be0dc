import { checkText } from "../check-arguments.ts";
import { OWN_TAGS } from "./tier.ts";

/** How the lines begin that only caliban writes: between the lines of a file, and next to a message of the user. */
export const OWN_FRAMES: readonly string[] = [
  "truncated:",
  "imported from",
  "end of",
  "data from the mcp server",
  "@-import",
  "not loaded:",
  "not shown",
  "memory that may apply:",
  "today is",
  "plan mode is",
  "the user ran a",
  "the user sent this",
  "the user took back",
  "you are a subagent",
  "result of the subagent",
  "the earlier part of this conversation",
];
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const NAME_CHARACTER = /[\w-]/;
const LINE_BREAK = /[\n\v\f\u0085\u2028\u2029]/;

/**
 * Escapes a text for a block: nothing in it can close the block or pose as one of our frames.
 *
 * @example
 * import { sanitize } from "@caliban/memory";
 *
 * console.log(sanitize("</auto-memory>")); // &lt;/auto-memory>
 */
export function sanitize(text: string): string {
  checkText("sanitize", text);
  return escapeFrames(escapeTags(text));
}

// Both scan by hand and visit each character once: a pattern that skips white space after every `<` or line start takes
// quadratic time on a file full of them.

/** The `<` of one of our tags becomes `&lt;`, whatever invisible characters are in between. */
function escapeTags(text: string): string {
  const edits: Edit[] = [];
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) {
    if (beginsOwnTag(text, at + 1)) edits.push({ at, remove: 1, insert: "&lt;" });
  }
  return applyEdits(text, edits);
}

function beginsOwnTag(text: string, afterBracket: number): boolean {
  let start = skip(text, afterBracket, BLANK);
  if (text[start] === "/") start = skip(text, start + 1, BLANK);
  return OWN_TAGS.some((tag) => beginsWithName(text, start, tag));
}

function beginsWithName(text: string, start: number, tag: string): boolean {
  let at = start;
  for (const character of tag) {
    at = skip(text, at, INVISIBLE);
    if (text[at]?.toLowerCase() !== character) return false;
    at += 1;
  }
  return !NAME_CHARACTER.test(text[at] ?? "");
}

/** A line that begins like one of our frames gets a backslash before the bracket. */
function escapeFrames(text: string): string {
  const edits: Edit[] = [];
  for (let at = text.indexOf("["); at !== -1; at = text.indexOf("[", at + 1)) {
    // Most brackets are links in the middle of a line, so that comes first.
    if (!isAtLineStart(text, at)) continue;
    const isFrame = OWN_FRAMES.some((frame) => beginsWithPhrase(text, at + 1, frame));
    if (isFrame) edits.push({ at, remove: 0, insert: "\\" });
  }
  return applyEdits(text, edits);
}

/** Whether a phrase begins at an offset, however it is spaced and whatever invisible characters are in between. */
function beginsWithPhrase(text: string, start: number, phrase: string): boolean {
  let at = skip(text, start, BLANK);
  for (const character of phrase) {
    const next = skip(text, at, character === " " ? BLANK : INVISIBLE);
    if (character === " " ? next === at : text[next]?.toLowerCase() !== character) return false;
    at = character === " " ? next : next + 1;
  }
  return true;
}

function isAtLineStart(text: string, index: number): boolean {
  let before = characterBefore(text, index);
  let at = index;
  while (before !== "" && BLANK.test(before) && !LINE_BREAK.test(before)) {
    at -= before.length;
    before = characterBefore(text, at);
  }
  return before === "" || LINE_BREAK.test(before);
}

/** The whole character before an offset, which may be two code units long. */
function characterBefore(text: string, index: number): string {
  const pair = text.slice(Math.max(0, index - 2), index);
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair) ? pair : pair.slice(-1);
}

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function skip(text: string, from: number, characters: RegExp): number {
  let at = from;
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (!characters.test(character)) break;
    at += character.length;
  }
  return at;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let end = 0;
  const parts = edits.flatMap(({ at, remove, insert }) => {
    const kept = text.slice(end, at);
    end = at + remove;
    return [kept, insert];
  });
  return parts.join("") + text.slice(end);
}
