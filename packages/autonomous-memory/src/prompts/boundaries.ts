/** The tags around data in a prompt. */
export const BOUNDARY_TAGS: readonly string[] = [
  "hand-edits",
  "memory-guidance",
  "memory-skills",
  "memory-summary",
  "previous-memory-md",
  "previous-memory-summary",
  "previous-skills",
  "raw-memories",
  "removed-sessions",
  "rollout-summaries",
  "session-transcript",
];

const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
/** Includes the full-width and the small form of `<`. */
const BRACKET = /[<\uFF1C\uFE64]/g;
const DASH = /^\p{Pd}$/u;
/** A dash that is only visible at a line end. */
const SOFT_HYPHEN = "\u00AD";
const BLANK = /^\s$/;
const NAME_CHARACTER = /^[\w-]$/;
/** The last ASCII character. */
const LAST_ASCII = 0x7f;
/** Characters that equal an ASCII letter in a case-insensitive comparison. */
const EQUIVALENTS: ReadonlyMap<string, string> = new Map([
  ["\u017F", "s"],
  ["\u212A", "k"],
]);

/** Escapes a text for use between boundaries: the `<` of our tags, and of lookalikes, becomes `&lt;`. Idempotent. */
export function insideBoundary(text: string): string {
  const wellFormed = text.toWellFormed();
  const parts: string[] = [];
  let end = 0;
  // Written by hand to visit each character about once: compiling a pattern of all names takes longer than scanning most
  // texts, and one that skips white space from every `<` takes quadratic time.
  for (const { index: at } of wellFormed.matchAll(BRACKET)) {
    if (!startsOwnTag(wellFormed, at + 1)) continue;
    parts.push(wellFormed.slice(end, at), "&lt;");
    end = at + 1;
  }
  return end === 0 ? wellFormed : parts.join("") + wellFormed.slice(end);
}

function startsOwnTag(text: string, afterBracket: number): boolean {
  let start = skip(text, afterBracket, isBlank);
  if (text[start] === "/") start = skip(text, start + 1, isBlank);
  return BOUNDARY_TAGS.some((tag) => startsWithName(text, start, tag));
}

function startsWithName(text: string, start: number, tag: string): boolean {
  let at = start;
  for (const character of tag) {
    const seen = skip(text, at, isInvisible);
    const length = character === "-" ? dashLength(text, at, seen) : lengthOf(text[seen], character);
    if (length === undefined) return false;
    at = seen + length;
  }
  const next = text[at] ?? "";
  return !NAME_CHARACTER.test(next) && !EQUIVALENTS.has(next);
}

function lengthOf(character: string | undefined, wanted: string): number | undefined {
  return plainCase(character) === wanted ? 1 : undefined;
}

/** The length of the dash after invisible characters: 0 if one of them is a dash itself, `undefined` without a dash. */
function dashLength(text: string, from: number, seen: number): number | undefined {
  const character = String.fromCodePoint(text.codePointAt(seen) ?? 0);
  if (character === "-" || DASH.test(character)) return character.length;
  return text.slice(from, seen).includes(SOFT_HYPHEN) ? 0 : undefined;
}

function plainCase(character = ""): string {
  return EQUIVALENTS.get(character) ?? character.toLowerCase();
}

function skip(text: string, from: number, isSkipped: (character: string) => boolean): number {
  let at = from;
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (!isSkipped(character)) break;
    at += character.length;
  }
  return at;
}

function isBlank(character: string): boolean {
  return BLANK.test(character) || isInvisible(character);
}

function isInvisible(character: string): boolean {
  // Nearly every character is ASCII, which needs no Unicode lookup.
  if (character.length === 1 && character.charCodeAt(0) < LAST_ASCII) return character < " ";
  return INVISIBLE.test(character);
}
