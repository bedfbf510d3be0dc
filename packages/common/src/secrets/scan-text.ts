import { CODE_PATTERNS } from "./patterns/codes.ts";
import { CONTEXT_PATTERNS } from "./patterns/contexts.ts";
import { findAssignedSecrets } from "./assignments/find-assigned-secrets.ts";
import { findByPatterns } from "./patterns/find-by-patterns.ts";
import { findNextLineSecrets } from "./assignments/find-next-line-secrets.ts";
import { findPairedSecrets } from "./assignments/find-paired-secrets.ts";
import { findTableSecrets } from "./assignments/find-table-secrets.ts";
import { PAYMENT_CARD_PATTERNS } from "./patterns/payment-cards.ts";
import { PRIVATE_KEY_PATTERNS } from "./patterns/private-keys.ts";
import { PROSE_PATTERNS } from "./patterns/prose.ts";
import { mergeSpans, type SecretSpan } from "./secret-span.ts";
import { TOKEN_PATTERNS } from "./patterns/tokens.ts";
import { toOriginalSpans, unmaskText } from "./unmask-text.ts";

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

/** Shapes that are recognized by their surroundings. */
const CONTEXTUAL_PATTERNS = [
  ...CODE_PATTERNS,
  ...CONTEXT_PATTERNS,
  ...PAYMENT_CARD_PATTERNS,
  ...PROSE_PATTERNS,
];

/** Finds more secrets in a text whose known tokens are given. */
export type FindMore = (
  text: string,
  known: ReturnType<typeof findByPatterns>["matches"],
) => Promise<readonly SecretSpan[]>;

/** Runs our own patterns and another scanner over a text. Findings are in the order of the text, overlapping ones merged. */
export async function scanText(
  text: string,
  findMore: FindMore,
): Promise<readonly SecretFinding[]> {
  const unmasked = unmaskText(text);
  const tokens = findByPatterns(unmasked.text, [...PRIVATE_KEY_PATTERNS, ...TOKEN_PATTERNS]);
  const spans = mergeSpans([
    tokens.secrets,
    await findMore(unmasked.text, tokens.matches),
    findByPatterns(unmasked.text, CONTEXTUAL_PATTERNS).secrets,
    findAssignedSecrets(unmasked.text),
    findNextLineSecrets(unmasked.text),
    findPairedSecrets(unmasked.text),
    findTableSecrets(unmasked.text),
  ]);
  return withLines(text, toOriginalSpans(unmasked, spans));
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
