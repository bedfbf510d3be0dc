/** The part of a text that is a secret. */
export interface SecretSpan {
  /** For display, such as "GitHub token". */
  readonly kind: string;
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
}

/**
 * Sorts spans by position and merges those that overlap. The earlier group names the result, so a GitHub token in
 * `password = …` is called a GitHub token.
 */
export function mergeSpans(groups: readonly (readonly SecretSpan[])[]): readonly SecretSpan[] {
  const ranked = groups.flatMap((spans, rank) => spans.map((span) => ({ ...span, rank })));
  ranked.sort((a, b) => a.start - b.start || a.rank - b.rank);
  const merged: (SecretSpan & { readonly rank: number })[] = [];
  for (const span of ranked) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const { kind, rank } = span.rank < last.rank ? span : last;
    merged[merged.length - 1] = {
      kind,
      rank,
      start: last.start,
      end: Math.max(last.end, span.end),
    };
  }
  return merged.map(({ kind, start, end }) => ({ kind, start, end }));
}

/** The spans that overlap another one. They are in order and do not overlap each other. */
export function overlapping(
  spans: readonly SecretSpan[],
  { start, end }: SecretSpan,
): readonly SecretSpan[] {
  let first = 0;
  let last = spans.length;
  while (first < last) {
    const middle = (first + last) >> 1;
    if ((spans[middle]?.end ?? 0) <= start) first = middle + 1;
    else last = middle;
  }
  let next = first;
  while ((spans[next]?.start ?? Infinity) < end) next += 1;
  return spans.slice(first, next);
}
