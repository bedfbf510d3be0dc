/**
 * Where a text begins in another, also where two of them overlap. The search of the language takes the product of both
 * lengths for texts that repeat themselves, which is half a minute for a long file; this one takes their sum.
 * @yields the places, the first one first
 */
export function* findOccurrences(text: string, sought: string): Generator<number> {
  const overlaps = overlapsOf(sought);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== sought[matched]) matched = overlaps[matched - 1] ?? 0;
    if (text[at] === sought[matched]) matched++;
    if (matched < sought.length) continue;
    yield at + 1 - matched;
    matched = overlaps[matched - 1] ?? 0;
  }
}

/** For each beginning of a text, how much of its end is a beginning, too. */
function overlapsOf(text: string): Uint32Array {
  const overlaps = new Uint32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at++) {
    while (matched > 0 && text[at] !== text[matched]) matched = overlaps[matched - 1] ?? 0;
    if (text[at] === text[matched]) matched++;
    overlaps[at] = matched;
  }
  return overlaps;
}
