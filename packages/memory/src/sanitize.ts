import { OWN_TAGS } from "./tier.ts";

/** Characters that are not seen, so that a tag with one of them inside still looks like a tag. */
const UNSEEN = String.raw`[\p{Cc}\p{Cf}]*`;
const OWN_TAG_NAME = new RegExp(
  `(?:${OWN_TAGS.map((tag) => tag.split("").join(UNSEEN)).join("|")})(?![\\w-])`,
  "giu",
);
const OWN_FRAME = /\[(?:truncated:|imported from|end of|@-import)/gi;
const BLANK = /[\s\p{Cc}\p{Cf}]/u;
const LINE_BREAK = /[\n\v\f\u0085\u2028\u2029]/;

/** Makes a file's text fit to stand in a block: one kind of line end, and nothing that could close its frame. */
export function sanitize(text: string): string {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD");
  return escapeFrames(escapeTags(lines));
}

// Both look backwards from a match that must be there: a pattern that looks forwards from every `<` or every
// line start over white space would take quadratic time on a file made of them.

/** The `<` of one of our tags becomes `&lt;`, whatever unseen characters stand in between. */
function escapeTags(text: string): string {
  const edits: Edit[] = [];
  for (const { index } of text.matchAll(OWN_TAG_NAME)) {
    let before = skipBack(text, index - 1, isBlank);
    if (text[before] === "/") before = skipBack(text, before - 1, isBlank);
    if (text[before] === "<") edits.push({ at: before, remove: 1, insert: "&lt;" });
  }
  return applyEdits(text, edits);
}

/** A line that begins like one of our frames gets a backslash before the bracket. */
function escapeFrames(text: string): string {
  const edits: Edit[] = [];
  for (const { index } of text.matchAll(OWN_FRAME)) {
    const before = skipBack(text, index - 1, (at) => isBlank(at) && !LINE_BREAK.test(at));
    if (before < 0 || LINE_BREAK.test(text[before] ?? "")) {
      edits.push({ at: index, remove: 0, insert: "\\" });
    }
  }
  return applyEdits(text, edits);
}

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function isBlank(character: string): boolean {
  return BLANK.test(character);
}

function skipBack(text: string, from: number, skips: (character: string) => boolean): number {
  let at = from;
  while (at >= 0 && skips(text[at] ?? "")) at--;
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
