/** Marks that stand over and under Latin, Greek and Cyrillic letters; in other scripts a mark is a part of the word. */
const ACCENTS = /[\u0300-\u036f]/g;
// oxlint-disable-next-line no-control-regex -- exactly what needs no folding
const ASCII_ONLY = /^[\0-\x7f]*$/;

/** A text in which letters that look alike are alike: one form of each character, no accents. Case stays. */
export function foldText(text: string): string {
  if (ASCII_ONLY.test(text)) return text;
  return text.toWellFormed().normalize("NFKD").replace(ACCENTS, "").normalize("NFKC");
}
