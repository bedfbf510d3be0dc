import { createView, type Replacement, type TextView } from "./text-view.ts";

// Memory is Markdown and may quote JSON: `ghp\_…` and `https:\/\/…` mean the same without the backslash.
const MASKED = /[^\p{ASCII}]|\\(?=[_/])/gu;
const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Cf})$/u;
const ASCII = /^\p{ASCII}$/u;

/** Undoes what hides a key from a pattern but not from a reader: invisible, full-width and escaped characters. */
export function unmaskText(text: string): TextView {
  return createView(text, findMasked(text));
}

function* findMasked(text: string): Iterable<Replacement> {
  for (const { 0: character, index } of text.matchAll(MASKED)) {
    const shown = unmaskCharacter(character);
    if (shown !== character) yield { start: index, end: index + character.length, shown };
  }
}

function unmaskCharacter(character: string): string {
  if (character === "\\" || INVISIBLE.test(character)) return "";
  const folded = character.normalize("NFKC");
  return ASCII.test(folded) ? folded : character;
}
