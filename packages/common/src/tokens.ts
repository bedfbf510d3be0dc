const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();

/** Size of a text in UTF-8. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
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
