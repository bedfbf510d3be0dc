/**
 * Finds all occurrences of a text, even overlapping ones. For repetitive texts, `indexOf` takes time proportional to the
 * product of both lengths, which is half a minute for a long file. This takes time proportional to their sum.
 * @yields the offsets, in order
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

/** For each prefix of a text, the length of its longest proper suffix that is also a prefix. */
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
