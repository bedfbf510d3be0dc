import { findAssignedSecrets } from "./assignments/find-assigned-secrets.ts";
import { findNextLineSecrets } from "./assignments/find-next-line-secrets.ts";
import { findPairedSecrets } from "./assignments/find-paired-secrets.ts";
import { findTableSecrets } from "./assignments/find-table-secrets.ts";
import { findEncodedSecrets } from "./find-encoded-secrets.ts";
import { CODE_PATTERNS } from "./patterns/codes.ts";
import { COMMAND_PATTERNS } from "./patterns/commands.ts";
import { CONTEXT_PATTERNS } from "./patterns/contexts.ts";
import { CREDENTIAL_PATTERNS } from "./patterns/credentials.ts";
import { findByPatterns, type PatternMatches } from "./patterns/find-by-patterns.ts";
import { KEYED_TOKEN_PATTERNS } from "./patterns/keyed-tokens.ts";
import { PAYMENT_CARD_PATTERNS } from "./patterns/payment-cards.ts";
import { PRIVATE_KEY_PATTERNS } from "./patterns/private-keys.ts";
import { PROSE_PATTERNS } from "./patterns/prose.ts";
import { TOKEN_PATTERNS } from "./patterns/tokens.ts";
import { mergeSpans, type SecretSpan } from "./secret-span.ts";
import { keepLongWords } from "./views/long-words.ts";
import { resolveEscapes } from "./views/resolve-escapes.ts";
import { isEdited, type TextView, toOriginalSpans } from "./views/text-view.ts";
import { unmaskText } from "./views/unmask.ts";
import { unwrapLines } from "./views/unwrap-lines.ts";

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
const CONTEXTUAL_SHAPES = [
  ...CODE_PATTERNS,
  ...COMMAND_PATTERNS,
  ...CONTEXT_PATTERNS,
  ...CREDENTIAL_PATTERNS,
  ...KEYED_TOKEN_PATTERNS,
  ...PAYMENT_CARD_PATTERNS,
  ...PROSE_PATTERNS,
];

/** Finds more secrets in a text whose known tokens are given. */
export type FindMore = (
  text: string,
  known: PatternMatches["matches"],
) => Promise<readonly SecretSpan[]>;

/** Runs our own patterns and another scanner over a text. Findings are in the order of the text, overlapping ones merged. */
export async function scanText(
  text: string,
  findMore: FindMore,
): Promise<readonly SecretFinding[]> {
  const unmasked = unmaskText(text);
  const shown = unmasked.text;
  const words = keepLongWords(shown);
  const tokens = findByShape(shown, words);
  const spans = mergeSpans([
    tokens.secrets,
    await findMore(shown, tokens.matches),
    ...findByContext(shown),
    findEscapedSecrets(shown),
    findWrappedSecrets(shown, tokens),
    findEncodedSecrets(shown, words, findByAnything),
  ]);
  return withLines(text, toOriginalSpans(unmasked, spans));
}

/** Finds what is recognized wherever it occurs. */
function findByShape(text: string, words: TextView = keepLongWords(text)): PatternMatches {
  const keys = findByPatterns(text, PRIVATE_KEY_PATTERNS);
  const tokens = findByPatterns(words.text, TOKEN_PATTERNS);
  return {
    secrets: [...keys.secrets, ...toOriginalSpans(words, tokens.secrets)],
    matches: [...keys.matches, ...toOriginalSpans(words, tokens.matches)],
  };
}

function findByContext(text: string): readonly (readonly SecretSpan[])[] {
  return [
    findByPatterns(text, CONTEXTUAL_SHAPES).secrets,
    findAssignedSecrets(text),
    findNextLineSecrets(text),
    findPairedSecrets(text),
    findTableSecrets(text),
  ];
}

function findByAnything(text: string): readonly SecretSpan[] {
  return mergeSpans([findByShape(text).secrets, ...findByContext(text)]);
}

/** Finds secrets in the text as a program reads it. */
function findEscapedSecrets(text: string): readonly SecretSpan[] {
  const view = resolveEscapes(text);
  return view.edits.length === 0 ? [] : toOriginalSpans(view, findByAnything(view.text));
}

/** Finds tokens that were wrapped. */
function findWrappedSecrets(text: string, known: PatternMatches): readonly SecretSpan[] {
  const view = unwrapLines(text);
  if (view.edits.length === 0) return [];
  const found = findByShape(view.text).secrets.filter((span) => isEdited(view, span));
  return toOriginalSpans(view, found).filter((span) => isContinued(text, span, known));
}

/** Whether the next line belongs to the token. A token that is complete continues only with a line of its own. */
function isContinued(text: string, { start, end }: SecretSpan, known: PatternMatches): boolean {
  const isKnown = (span: SecretSpan): boolean => span.start < end && span.end > start;
  if (!known.matches.some(isKnown)) return true;
  const isAlone = /^["'`,;.)\]}]{0,4}[ \t]{0,4}\r?(?:\n|$)/.test(text.slice(end, end + 16));
  return isAlone && known.matches.filter(isKnown).length === 1 && known.secrets.some(isKnown);
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
