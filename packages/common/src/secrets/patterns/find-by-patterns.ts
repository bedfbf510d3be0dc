import type { SecretSpan } from "../secret-span.ts";

/** One shape of a secret. The value is the group `value`, otherwise the whole match. */
export interface SecretPattern {
  readonly kind: string;
  /** Has the flag `g`, and `d` if it has the group; takes linear time on any text. */
  readonly pattern: RegExp;
  /** Whether a value of this shape is a secret, and not a placeholder such as `ghp_xxxxxxxx`. */
  readonly isSecret: (value: string, match: RegExpExecArray) => boolean;
}

/** The matches of a table of shapes. */
export interface PatternMatches {
  readonly secrets: readonly SecretSpan[];
  /** Everything of the shape, including placeholders. */
  readonly matches: readonly SecretSpan[];
}

/** Finds the values that match a table of shapes. */
export function findByPatterns(text: string, patterns: readonly SecretPattern[]): PatternMatches {
  const secrets: SecretSpan[] = [];
  const matches: SecretSpan[] = [];
  for (const { kind, pattern, isSecret: isReal } of patterns) {
    let covered = 0;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.["value"] ?? [
        match.index,
        match.index + match[0].length,
      ];
      // This also keeps the time linear: otherwise many matches would each walk to the end of the same word.
      if (start < covered) continue;
      covered = endOfWord(text, end);
      const span = { kind, start, end: covered };
      matches.push(span);
      if (isReal(text.slice(start, end), match)) secrets.push(span);
    }
  }
  return { secrets, matches };
}

/** Extends a value to the end of the word, so that no part of it remains. */
function endOfWord(text: string, from: number): number {
  const rest = /[\w-]*/y;
  rest.lastIndex = from;
  return from + (rest.exec(text)?.[0].length ?? 0);
}
