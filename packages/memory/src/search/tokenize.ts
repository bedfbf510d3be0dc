/** The words of a text, in lower case; a word of letters and digits in any script. */
export function tokenize(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
