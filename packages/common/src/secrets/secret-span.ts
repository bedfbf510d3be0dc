/** A part of a text that is a secret of some kind. */
export interface SecretSpan {
  /** For people, e.g. "GitHub token". */
  readonly kind: string;
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
}

/**
 * Brings spans in the order of the text and makes one of those that overlap; the earlier group gives the name, so a
 * GitHub token that stands in `password = …` is called a GitHub token.
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
