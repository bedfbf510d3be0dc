/**
 * Whether a pattern covers the whole text: `*` stands for anything or nothing, every other character for itself.
 * No regular expression is made of the pattern, so none can be made to run for ever.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  const afterMiddle = endOfPieces(rest, { text, from: first.length });
  return (
    afterMiddle !== undefined && text.length - last.length >= afterMiddle && text.endsWith(last)
  );
}

/** Where the pieces end when each is taken as early as it can be, which leaves most room for what follows. */
function endOfPieces(
  pieces: readonly string[],
  { text, from }: { readonly text: string; readonly from: number },
): number | undefined {
  let end = from;
  for (const piece of pieces) {
    const start = text.indexOf(piece, end);
    if (start === -1) return undefined;
    end = start + piece.length;
  }
  return end;
}
