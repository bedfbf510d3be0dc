import type { SecretSpan } from "./secret-span.ts";

/** A text as a reader sees it, and where its characters stand in the text that was given. */
export interface UnmaskedText {
  readonly text: string;
  /** The original offset of each character and of the end; absent when the text is the original. */
  readonly offsets?: readonly number[];
}

// A memory is Markdown and may quote JSON: `ghp\_…` and `https:\/\/…` mean the same without the backslash.
const MASKED = /[^\p{ASCII}]|\\[_/]/u;
const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Cf})$/u;
const ASCII = /^\p{ASCII}$/u;

/** Takes off what hides a key from a pattern and not from a person: invisible, full-width and escaped characters. */
export function unmaskText(text: string): UnmaskedText {
  if (!MASKED.test(text)) return { text };
  const shown: string[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    const plain = unmaskCharacter(character, text.charAt(offset + 1));
    for (let unit = 0; unit < plain.length; unit += 1) offsets.push(offset + unit);
    shown.push(plain);
    offset += character.length;
  }
  offsets.push(offset);
  return { text: shown.join(""), offsets };
}

/** The same spans in the text that was given. */
export function toOriginalSpans(
  { offsets }: UnmaskedText,
  spans: readonly SecretSpan[],
): readonly SecretSpan[] {
  if (offsets === undefined) return spans;
  return spans.map(({ kind, start, end }) => ({
    kind,
    start: offsets[start] ?? 0,
    end: offsets[end] ?? 0,
  }));
}

function unmaskCharacter(character: string, next: string): string {
  if (character === "\\") return next === "_" || next === "/" ? "" : character;
  if (ASCII.test(character)) return character;
  if (INVISIBLE.test(character)) return "";
  const folded = character.normalize("NFKC");
  return ASCII.test(folded) ? folded : character;
}
