/**
 * Whether a file contains a snippet, byte for byte. A longer word or number around it is another value: `max: 20` is not
 * in `max: 200`.
 */
export function containsSnippet(bytes: Buffer, snippet: string): boolean {
  const searched = Buffer.from(snippet);
  if (searched.length === 0) return false;
  for (let at = bytes.indexOf(searched); at !== -1; at = bytes.indexOf(searched, at + 1)) {
    const end = at + searched.length;
    // A few bytes are enough to see a whole character.
    const [before, after] = [
      bytes.toString("utf8", Math.max(0, at - 4), at),
      bytes.toString("utf8", end, end + 4),
    ];
    if (!continues(before.at(-1), snippet[0]) && !continuesNumber(snippet, after)) return true;
  }
  return false;
}

const WORD = /[\p{L}\p{N}_]/u;

function continues(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && WORD.test(one) && WORD.test(other);
}

function continuesNumber(snippet: string, after: string): boolean {
  const isDecimal = /\d$/.test(snippet) && /^[.,_]\d/.test(after);
  return isDecimal || continues(snippet.at(-1), after[0]);
}
