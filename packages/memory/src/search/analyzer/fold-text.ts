/** Accents of Latin, Greek and Cyrillic letters. In other scripts, a mark is part of the word. */
const ACCENTS = /[\u0300-\u036f]+/g;
// More than any script puts on one letter. Normalization sorts marks one by one, which takes quadratic time for thousands
// of them. The last two characters are not marks but decompose to marks.
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu;
// oxlint-disable-next-line no-control-regex -- exactly what needs no folding
const ASCII_ONLY = /^[\0-\x7f]*$/;

/** Makes letters that look the same equal: one form of each character, no accents. Case is kept. */
export function foldText(text: string): string {
  if (ASCII_ONLY.test(text)) return text;
  const limited = text.toWellFormed().replace(ACCENTS, "").replace(TOO_MANY_MARKS, "$1");
  const folded = limited.normalize("NFKD").replace(ACCENTS, "").normalize("NFKC");
  return folded.replace(LIGATURE, (letter) => LIGATURES[letter] ?? letter);
}

/** Letters with a common alternative spelling that no Unicode normalization decomposes. */
const LIGATURES: Readonly<Record<string, string>> = {
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
const LIGATURE = /[ßẞæÆœŒøØłŁ]/g;
