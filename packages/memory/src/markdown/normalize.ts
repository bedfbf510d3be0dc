/** One kind of line end, no byte order mark, no NUL: the same text from every platform. */
export function normalizeText(text: string): string {
  // Nearly every text is normal, and a look costs less than a copy.
  if (!text.startsWith("\uFEFF") && !text.includes("\r") && !text.includes("\0")) return text;
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD");
}
