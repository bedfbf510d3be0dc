import type { AnalyzedStatement, StatementTerms } from "./statement-terms.ts";

/** The share of common words that another wording may lack. */
const MAX_MISSING_WEAK = 1 / 3;
/** The share of a statement that a shorter wording still has. */
const MIN_SHORTENED = 0.6;

/**
 * Whether a text says what a forgotten statement said, perhaps in other words. Names, numbers and what is negated must
 * agree: with another value it is another statement.
 */
export function isSameStatement(forgotten: StatementTerms, text: AnalyzedStatement): boolean {
  if (forgotten.exact === text.exact) return forgotten.exact !== "";
  if (contradicts(forgotten, text) || !hasSameValues(forgotten, text)) return false;
  const known = new Set([...text.strong, ...text.weak]);
  const all = [...forgotten.strong, ...forgotten.weak];
  if (all.length === 0) return false;
  const own = new Set(all);
  const shared = all.filter((term) => known.has(term)).length;
  const extraStrong = text.strong.filter((term) => !own.has(term)).length;
  const extra = extraStrong + text.weak.filter((term) => !own.has(term)).length;
  const size = all.length + forgotten.numbers.length;
  if (extra === 0 && shared >= 2 && shared / all.length >= MIN_SHORTENED) return true;
  const missingWeak = forgotten.weak.filter((term) => !known.has(term)).length;
  if (shared < all.length - missingWeak || missingWeak / all.length > MAX_MISSING_WEAK)
    return false;
  return fits({ size, extra, extraStrong });
}

/** How much more a text may say: the less is known of a statement, the less. */
function fits({
  size,
  extra,
  extraStrong,
}: {
  readonly size: number;
  readonly extra: number;
  readonly extraStrong: number;
}): boolean {
  if (size === 1) return extra === 0;
  if (size === 2) return extra <= 2 && extraStrong <= 1;
  return extra <= 2 * size && extraStrong <= size;
}

/** Whether one of them denies what the other says. */
function contradicts(forgotten: StatementTerms, text: AnalyzedStatement): boolean {
  const opposites = new Set(text.opposites);
  const { strong, weak, contrast } = forgotten;
  return [...strong, ...weak, ...contrast].some((term) => opposites.has(term));
}

function hasSameValues(forgotten: StatementTerms, text: AnalyzedStatement): boolean {
  const numbers = new Set(text.numbers);
  if (forgotten.numbers.length === 0 && numbers.size > 0) return false;
  if (forgotten.numbers.some((number) => !numbers.has(number))) return false;
  const { relations } = forgotten;
  if (relations.length === 0 || text.relations.length === 0) return true;
  return relations.some((relation) => text.relations.includes(relation));
}

/** How much of a statement a text has, from 0 to 1: for turns that led to it, which may say it in their own way. */
export function sharedPart(forgotten: StatementTerms, text: AnalyzedStatement): number {
  if (contradicts(forgotten, text)) return 0;
  const all = [...forgotten.strong, ...forgotten.numbers];
  const known = new Set([...text.strong, ...text.weak, ...text.numbers]);
  return all.length === 0 ? 0 : all.filter((term) => known.has(term)).length / all.length;
}
