const MAX_CHARACTERS = 200;

/** Text from a remote on one line, without control characters, and not longer than a message may be. */
export function printable(text: string, maxCharacters: number = MAX_CHARACTERS): string {
  const safe = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${codeOf(character)}}`);
  const characters = Array.from(safe);
  return characters.length <= maxCharacters
    ? safe
    : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
