import type { SecretSpan } from "../secret-span.ts";

/** One shape of a secret. The value is the group `value`, or the whole match. */
export interface SecretPattern {
  readonly kind: string;
  /** With the flag `g`, and `d` when it has the group; linear on any text. */
  readonly pattern: RegExp;
  /** Whether a value of this shape is meant: not a stand-in such as `ghp_xxxxxxxx`. */
  readonly isSecret: (value: string, match: RegExpExecArray) => boolean;
}

/** What a table of shapes matched. */
export interface PatternMatches {
  readonly secrets: readonly SecretSpan[];
  /** All that has the shape, stand-ins as well. */
  readonly matches: readonly SecretSpan[];
}

/** Finds the values of a table of shapes. */
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
      // Also for time: each of many matches would walk to the end of the same word.
      if (start < covered) continue;
      covered = endOfWord(text, end);
      const span = { kind, start, end: covered };
      matches.push(span);
      if (isReal(text.slice(start, end), match)) secrets.push(span);
    }
  }
  return { secrets, matches };
}

/** A value that goes on after its shape goes with it, so that nothing of it stays. */
function endOfWord(text: string, from: number): number {
  const rest = /[\w-]*/y;
  rest.lastIndex = from;
  return from + (rest.exec(text)?.[0].length ?? 0);
}
