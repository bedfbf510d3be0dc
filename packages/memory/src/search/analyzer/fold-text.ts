/** Marks that stand over and under Latin, Greek and Cyrillic letters; in other scripts a mark is a part of the word. */
const ACCENTS = /[\u0300-\u036f]+/g;
// More than any script puts to one letter. Marks are brought into order one by one, which takes quadratic time where there
// are thousands. The last two are no marks, but are made of them.
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu;
// oxlint-disable-next-line no-control-regex -- exactly what needs no folding
const ASCII_ONLY = /^[\0-\x7f]*$/;

/** A text in which letters that look alike are alike: one form of each character, no accents. Case stays. */
export function foldText(text: string): string {
  if (ASCII_ONLY.test(text)) return text;
  const few = text.toWellFormed().replace(ACCENTS, "").replace(TOO_MANY_MARKS, "$1");
  const folded = few.normalize("NFKD").replace(ACCENTS, "").normalize("NFKC");
  return folded.replace(OF_TWO, (letter) => TWO_OF[letter] ?? letter);
}

/** Letters that people also write as others, and that no form of Unicode takes apart. */
const TWO_OF: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "Ae",
  œ: "oe",
  Œ: "Oe",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
};
const OF_TWO = /[ßẞæÆœŒøØłŁ]/g;
