/** Control characters and line breaks become spaces: what stands in an index line must stay in it, on disk, too. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}
