/**
 * Whether a pattern covers the whole text: `*` stands for anything or nothing, every other character for itself.
 * No regular expression is made of the pattern, so none can be made to run for ever.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return matchesPatternFrom(pattern, text, [0]);
}

/** Whether a pattern covers a text from one of these places to its end, in one go over the text. */
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
  const latest = startOfPieces(rest, { text, to: text.length - last.length });
  return (
    latest !== undefined &&
    starts.some((start) => start + first.length <= latest && text.startsWith(first, start))
  );
}

/** Where the pieces begin when each is taken as late as it can be, which leaves most room for what is before them. */
function startOfPieces(
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
