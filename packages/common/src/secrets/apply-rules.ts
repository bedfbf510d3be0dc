import { findAssignedSecrets } from "./assignments/find-assigned-secrets.ts";
import { findNextLineSecrets } from "./assignments/find-next-line-secrets.ts";
import { findPairedSecrets } from "./assignments/find-paired-secrets.ts";
import { findTableSecrets } from "./assignments/find-table-secrets.ts";
import { CODE_PATTERNS } from "./patterns/codes.ts";
import { COMMAND_PATTERNS } from "./patterns/commands.ts";
import { CONTEXT_PATTERNS } from "./patterns/contexts.ts";
import { CREDENTIAL_PATTERNS } from "./patterns/credentials.ts";
import {
  findByPatterns,
  type PatternMatches,
  type SecretPattern,
} from "./patterns/find-by-patterns.ts";
import { KEYED_TOKEN_PATTERNS } from "./patterns/keyed-tokens.ts";
import { PAYMENT_CARD_PATTERNS } from "./patterns/payment-cards.ts";
import { PRIVATE_KEY_PATTERNS } from "./patterns/private-keys.ts";
import { PROSE_PATTERNS } from "./patterns/prose.ts";
import { TOKEN_PATTERNS } from "./patterns/tokens.ts";
import { mergeSpans, type SecretSpan } from "./secret-span.ts";
import { keepCandidates } from "./views/candidates.ts";
import { type TextView, toOriginalSpans } from "./views/text-view.ts";

/** Every table of shapes that are recognized by their surroundings. */
export const CONTEXTUAL_PATTERNS: readonly SecretPattern[] = [
  ...CODE_PATTERNS,
  ...COMMAND_PATTERNS,
  ...CONTEXT_PATTERNS,
  ...CREDENTIAL_PATTERNS,
  ...KEYED_TOKEN_PATTERNS,
  ...PAYMENT_CARD_PATTERNS,
  ...PROSE_PATTERNS,
];

/** Finds what is recognized by its own shape, wherever it occurs. Takes the candidates in the text if they are known. */
export function findByShape(
  text: string,
  candidates: TextView = keepCandidates(text),
): PatternMatches {
  const keys = findByPatterns(text, PRIVATE_KEY_PATTERNS);
  // Most short texts have none, and hundreds of patterns would be compiled for nothing.
  const hasCandidates = /\S/.test(candidates.text);
  const tokens = findByPatterns(candidates.text, hasCandidates ? TOKEN_PATTERNS : []);
  return {
    secrets: [...keys.secrets, ...toOriginalSpans(candidates, tokens.secrets)],
    matches: [...keys.matches, ...toOriginalSpans(candidates, tokens.matches)],
  };
}

/** Finds what is recognized by its surroundings. */
export function findByContext(text: string): readonly SecretSpan[] {
  return mergeSpans([
    findByPatterns(text, CONTEXTUAL_PATTERNS).secrets,
    findAssignedSecrets(text),
    findNextLineSecrets(text),
    findPairedSecrets(text),
    findTableSecrets(text),
  ]);
}

/** Applies all rules to a text. */
export function findByAnyRule(text: string): readonly SecretSpan[] {
  return mergeSpans([findByShape(text).secrets, findByContext(text)]);
}
