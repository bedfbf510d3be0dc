/** The tags that stand around data in a prompt. */
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

const UNSEEN = /^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
/** Also the wide and the small form of `<`. */
const BRACKET = /[<\uFF1C\uFE64]/g;
const DASH = /^\p{Pd}$/u;
/** A dash that is unseen unless a line ends there. */
const SOFT_HYPHEN = "\u00AD";
const BLANK = /^\s$/;
const NAME_CHARACTER = /^[\w-]$/;
/** The last character of ASCII. */
const LAST_PLAIN = 0x7f;
/** Letters that are a letter of a tag for everybody who does not look at the case. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ["\u017F", "s"],
  ["\u212A", "k"],
]);

/** Makes a text fit to stand between boundaries: the `<` of each of our tags, and what looks like one, becomes `&lt;`. Twice is as once. */
export function insideBoundary(text: string): string {
  const whole = text.toWellFormed();
  const parts: string[] = [];
  let end = 0;
  // By hand, each character about once: a pattern of these names takes longer to make than most texts to walk over, and
  // one that skips white space from every `<` takes quadratic time.
  for (const { index: at } of whole.matchAll(BRACKET)) {
    if (!beginsOwnTag(whole, at + 1)) continue;
    parts.push(whole.slice(end, at), "&lt;");
    end = at + 1;
  }
  return end === 0 ? whole : parts.join("") + whole.slice(end);
}

function beginsOwnTag(text: string, afterBracket: number): boolean {
  let start = skip(text, afterBracket, isBlank);
  if (text[start] === "/") start = skip(text, start + 1, isBlank);
  return BOUNDARY_TAGS.some((tag) => beginsWithName(text, start, tag));
}

function beginsWithName(text: string, start: number, tag: string): boolean {
  let at = start;
  for (const character of tag) {
    const seen = skip(text, at, isUnseen);
    const length = character === "-" ? dashLength(text, at, seen) : lengthOf(text[seen], character);
    if (length === undefined) return false;
    at = seen + length;
  }
  const next = text[at] ?? "";
  return !NAME_CHARACTER.test(next) && !LOOK_ALIKES.has(next);
}

function lengthOf(character: string | undefined, wanted: string): number | undefined {
  return plainCase(character) === wanted ? 1 : undefined;
}

/** The length of the dash behind unseen characters: 0 where one of them is a dash itself, none where there is none. */
function dashLength(text: string, from: number, seen: number): number | undefined {
  const character = String.fromCodePoint(text.codePointAt(seen) ?? 0);
  if (character === "-" || DASH.test(character)) return character.length;
  return text.slice(from, seen).includes(SOFT_HYPHEN) ? 0 : undefined;
}

function plainCase(character = ""): string {
  return LOOK_ALIKES.get(character) ?? character.toLowerCase();
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
  return BLANK.test(character) || isUnseen(character);
}

function isUnseen(character: string): boolean {
  // Nearly every character is plain, and then no table of Unicode is needed.
  if (character.length === 1 && character.charCodeAt(0) < LAST_PLAIN) return character < " ";
  return UNSEEN.test(character);
}
