/** One kind of line end, no byte order mark, no NUL: the same text from every platform. */
export function normalizeText(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD");
}
