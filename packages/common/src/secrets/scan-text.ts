import { findByAnyRule, findByContext, findByShape } from "./apply-rules.ts";
import { findEncodedSecrets } from "./find-encoded-secrets.ts";
import { findWrappedSecrets } from "./find-wrapped-secrets.ts";
import type { PatternMatches } from "./patterns/find-by-patterns.ts";
import { mergeSpans, type SecretSpan } from "./secret-span.ts";
import { keepCandidates } from "./views/candidates.ts";
import { resolveEscapes } from "./views/resolve-escapes.ts";
import { toOriginalSpans } from "./views/text-view.ts";
import { unmaskText } from "./views/unmask.ts";

/** Where something looks like a secret; never its value. */
export interface SecretFinding {
  /** For display, such as "GitHub token". */
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
}

/** Finds more secrets in a text whose known tokens are given. */
export type FindMore = (
  text: string,
  known: PatternMatches["matches"],
) => Promise<readonly SecretSpan[]>;

/**
 * Applies our own rules and another scanner to a text. The rules see it as a reader does, as a program does (escapes
 * resolved, strings joined), with wrapped lines joined, and decoded once. Findings are in the order of the text, overlapping
 * ones merged.
 */
export async function scanText(
  text: string,
  findMore: FindMore,
): Promise<readonly SecretFinding[]> {
  const unmasked = unmaskText(text);
  const shown = unmasked.text;
  const candidates = keepCandidates(shown);
  const tokens = findByShape(shown, candidates);
  const spans = mergeSpans([
    tokens.secrets,
    await findMore(shown, tokens.matches),
    findByContext(shown),
    findEscapedSecrets(shown),
    findWrappedSecrets(shown, tokens),
    findEncodedSecrets(shown, candidates),
  ]);
  return withLines(text, toOriginalSpans(unmasked, spans));
}

function findEscapedSecrets(text: string): readonly SecretSpan[] {
  const view = resolveEscapes(text);
  return view.edits.length === 0 ? [] : toOriginalSpans(view, findByAnyRule(view.text));
}

function withLines(text: string, spans: readonly SecretSpan[]): readonly SecretFinding[] {
  let line = 1;
  let lineEnd = text.indexOf("\n");
  return spans.map(({ kind, start, end }) => {
    while (lineEnd !== -1 && lineEnd < start) {
      line += 1;
      lineEnd = text.indexOf("\n", lineEnd + 1);
    }
    return { kind, line, start, end };
  });
}
