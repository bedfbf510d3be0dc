const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();
/** From here on a text is counted: to encode it only for its length takes longer. Below, our loop is not warm yet. */
const LONG = 65_536;

/** Size of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return text.length < LONG ? encoder.encode(text).length : countBytes(text);
}

function countBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // Two halves of a pair have four bytes together; half a pair would be written as a character of three.
    if (isPairAt(text, at)) at++;
  }
  return bytes;
}

function isPairAt(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** Tokens a number of UTF-8 bytes is counted as: provider-neutral, so the same files give the same prompt. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Tokens a text is counted as. */
export function estimateTokens(text: string): number {
  return tokensOfBytes(utf8Bytes(text));
}

/** The most bytes that still count as at most `tokens`. */
export function bytesOfTokens(tokens: number): number {
  return tokens * BYTES_PER_TOKEN;
}
