/**
 * Whether a pattern matches the whole text: `*` matches any characters or none, every other character matches itself. The
 * pattern is not turned into a regular expression, so it cannot cause catastrophic backtracking.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return matchesPatternFrom(pattern, text, [0]);
}

/** Whether a pattern matches the text from one of the start positions to the end. Reads the text only once. */
export function matchesPatternFrom(
  pattern: string,
  text: string,
  starts: readonly number[],
): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined)
    return starts.includes(text.length - pattern.length) && text.endsWith(pattern);
  if (!text.endsWith(last)) return false;
  const latest = latestStart(rest, { text, to: text.length - last.length });
  return (
    latest !== undefined &&
    starts.some((start) => start + first.length <= latest && text.startsWith(first, start))
  );
}

/** Finds where the pieces start if each is placed as late as possible, which leaves the most room before them. */
function latestStart(
  pieces: readonly string[],
  { text, to }: { readonly text: string; readonly to: number },
): number | undefined {
  let start = to;
  for (const piece of pieces.toReversed()) {
    if (piece.length > start) return undefined;
    start = text.lastIndexOf(piece, start - piece.length);
    if (start === -1) return undefined;
  }
  return start;
}
