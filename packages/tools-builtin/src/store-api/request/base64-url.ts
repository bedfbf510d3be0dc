/** A text as characters that a path of a URL can have. */
export function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** `undefined` for anything that `toBase64Url` does not return. */
export function fromBase64Url(encoded: string): string | undefined {
  if (!/^[\w-]+$/.test(encoded) || encoded.length > MAX_CHARACTERS) return undefined;
  try {
    const binary = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return toBase64Url(text) === encoded ? text : undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Longer than any name or cursor. */
const MAX_CHARACTERS = 4_000;
