/** Spells a path so that a message attaches it: in quotes where its end would not be clear. */
export function formatMention(path: string): string {
  const isClear = /^[^\s"'([{][^\s"]*$/.test(path) && !/[.,;:!?)\]}'…]$/.test(path);
  return isClear ? `@${path}` : `@"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
