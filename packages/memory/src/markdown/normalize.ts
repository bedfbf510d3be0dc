/** Makes the text the same on every platform: LF line ends, no byte order mark, no NUL. */
export function normalizeText(text: string): string {
  // Nearly every text is normal already, and checking is cheaper than copying.
  if (!text.startsWith("\uFEFF") && !text.includes("\r") && !text.includes("\0")) return text;
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD");
}
