const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();
/** Long texts are encoded piece by piece into one buffer, which is several times as fast as encoding them at once. */
const PIECE = 16_384;
const MAX_BYTES_PER_UNIT = 3;

/** The size of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  if (text.length <= PIECE) return encoder.encode(text).length;
  const buffer = new Uint8Array(PIECE * MAX_BYTES_PER_UNIT);
  let bytes = 0;
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start + PIECE);
    bytes += encoder.encodeInto(text.slice(start, end), buffer).written;
    start = end;
  }
  return bytes;
}

/** Never between the two halves of a surrogate pair, which would be counted as two replacement characters. */
function pieceEnd(text: string, end: number): number {
  return isPairAt(text, end - 1) ? end - 1 : end;
}

function isPairAt(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** Estimates the tokens of UTF-8 bytes independently of the provider, so that the same files give the same prompt. */
export function bytesToTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Estimates the tokens of a text. */
export function estimateTokens(text: string): number {
  return bytesToTokens(utf8Bytes(text));
}

/** The largest number of bytes that counts as at most `tokens`. */
export function tokensToBytes(tokens: number): number {
  return tokens * BYTES_PER_TOKEN;
}
