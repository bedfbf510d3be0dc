/** Turns control characters and line breaks into spaces, so that a text cannot leave its index line, not even on disk. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}
