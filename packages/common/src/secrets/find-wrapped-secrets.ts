import { findByShape } from "./apply-rules.ts";
import type { PatternMatches } from "./patterns/find-by-patterns.ts";
import { mergeSpans, overlapping, type SecretSpan } from "./secret-span.ts";
import { isEdited, toOriginalSpans } from "./views/text-view.ts";
import { unwrapLines } from "./views/unwrap-lines.ts";

const END_OF_LINE = /^["'`,;.)\]}]{0,4}[ \t]{0,4}\r?(?:\n|$)/;

/** Finds tokens over several lines. Takes the tokens that were found on one line. */
export function findWrappedSecrets(text: string, known: PatternMatches): readonly SecretSpan[] {
  const view = unwrapLines(text);
  if (view.edits.length === 0) return [];
  const found = findByShape(view.text).secrets.filter((span) => isEdited(view, span));
  const tokens = mergeSpans([known.secrets]);
  const matches = mergeSpans([known.matches]);
  return toOriginalSpans(view, found).filter((span) => {
    const complete = overlapping(matches, span);
    // A token that is complete, and not a placeholder, continues only with a line that has nothing else.
    return (
      complete.length === 0 ||
      (complete.length === 1 &&
        overlapping(tokens, span).length === 1 &&
        END_OF_LINE.test(text.slice(span.end, span.end + 16)))
    );
  });
}
