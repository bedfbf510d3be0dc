const MAX_TITLE_CHARACTERS = 72;
// More than any title needs, so that a pasted book is not scanned.
const MAX_SCANNED_CHARACTERS = 2_000;
const LONE_SURROGATE = /[\uD800-\uDBFF]$/;
const WHITE_SPACE_OR_CONTROL = /[\s\p{Cc}\p{Cs}]+/gu;

/** Neither what a command printed nor the text of its file names a conversation. */
const NOT_TYPED = /\n\n<command-(?:output|text) /;

/** The first words of a text as one line, shortened at a word boundary if possible. */
export function titleOf(text: string): string {
  const [typed = ""] = text.slice(0, MAX_SCANNED_CHARACTERS).split(NOT_TYPED, 1);
  const line = typed.replaceAll(WHITE_SPACE_OR_CONTROL, " ").trim();
  if (line.length <= MAX_TITLE_CHARACTERS) return line;
  const cut = line.slice(0, MAX_TITLE_CHARACTERS - 1).replace(LONE_SURROGATE, "");
  const lastSpace = cut.lastIndexOf(" ");
  const kept = lastSpace > MAX_TITLE_CHARACTERS / 2 ? cut.slice(0, lastSpace) : cut;
  return `${kept}…`;
}
