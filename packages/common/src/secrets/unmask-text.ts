import type { SecretSpan } from "./secret-span.ts";

/** A text as a reader sees it, and how its offsets map to the original text. */
export interface UnmaskedText {
  readonly text: string;
  /** In the order of the text; absent when the text is unchanged. */
  readonly shifts?: readonly Shift[];
}

/** From this offset of the unmasked text on, the original offsets are larger by `by`. */
interface Shift {
  readonly from: number;
  readonly by: number;
}

// Memory is Markdown and may quote JSON: `ghp\_…` and `https:\/\/…` mean the same without the backslash.
const MASKED = /[^\p{ASCII}]|\\(?=[_/])/gu;
const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Cf})$/u;
const ASCII = /^\p{ASCII}$/u;

/** Undoes what hides a key from a pattern but not from a reader: invisible, full-width and escaped characters. */
export function unmaskText(text: string): UnmaskedText {
  const shown: string[] = [];
  const shifts: Shift[] = [];
  let kept = 0;
  let by = 0;
  for (const { 0: character, index } of text.matchAll(MASKED)) {
    const plain = unmaskCharacter(character);
    if (plain === character) continue;
    shown.push(text.slice(kept, index), plain);
    kept = index + character.length;
    by += character.length - plain.length;
    shifts.push({ from: kept - by, by });
  }
  if (shifts.length === 0) return { text };
  return { text: shown.join("") + text.slice(kept), shifts };
}

/** Maps spans back to the original text. */
export function toOriginalSpans(
  { shifts }: UnmaskedText,
  spans: readonly SecretSpan[],
): readonly SecretSpan[] {
  if (shifts === undefined) return spans;
  return spans.map(({ kind, start, end }) => ({
    kind,
    start: start + shiftAt(shifts, start),
    end: end + shiftAt(shifts, end),
  }));
}

/** A binary search, because a text in a non-Latin script may have as many shifts as characters. */
function shiftAt(shifts: readonly Shift[], offset: number): number {
  let first = 0;
  let end = shifts.length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((shifts[middle]?.from ?? 0) <= offset) first = middle + 1;
    else end = middle;
  }
  return shifts[first - 1]?.by ?? 0;
}

function unmaskCharacter(character: string): string {
  if (character === "\\" || INVISIBLE.test(character)) return "";
  const folded = character.normalize("NFKC");
  return ASCII.test(folded) ? folded : character;
}
