const MAX_TITLE_CHARACTERS = 72;
// More than any title needs, so that a pasted book is not walked through.
const LOOKED_AT = 2_000;
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;
const NOT_SHOWN = /[\s\p{Cc}\p{Cs}]+/gu;

/** The first words of a text as one line, shortened at a word where there is one. */
export function titleOf(text: string): string {
  const line = text.slice(0, LOOKED_AT).replaceAll(NOT_SHOWN, " ").trim();
  if (line.length <= MAX_TITLE_CHARACTERS) return line;
  const cut = line.slice(0, MAX_TITLE_CHARACTERS - 1).replace(HALF_CHARACTER, "");
  const lastSpace = cut.lastIndexOf(" ");
  const kept = lastSpace > MAX_TITLE_CHARACTERS / 2 ? cut.slice(0, lastSpace) : cut;
  return `${kept}…`;
}
