const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();
/** Counting beats encoding from this length on. Below it, the loop is not compiled yet and loses. */
const LONG = 65_536;

/** The size of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return text.length < LONG ? encoder.encode(text).length : countBytes(text);
}

function countBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A surrogate pair takes four bytes; a lone surrogate is encoded as a replacement character of three.
    if (isPairAt(text, at)) at++;
  }
  return bytes;
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
