import { searchTerms } from "../analyzer/query-terms.ts";
import type { ScorePart } from "../engine/search-result.ts";
import type { FoundScorePart, ScoreField } from "./results.ts";

interface ShownScoreInput {
  readonly query: string;
  /** The texts of the result. */
  readonly fields: readonly (readonly [field: ScoreField, text: string])[];
  /** The field of a word that is in none of the texts: an index has fields that are not shown. */
  readonly hidden: ScoreField;
}

/** The parts of a score for a reader: words as in the query, and where they were found. Largest first. */
export function shownScoreParts(
  parts: readonly ScorePart[],
  { query, fields, hidden }: ShownScoreInput,
): readonly FoundScorePart[] {
  const wordOf = wordsByTerm(query);
  const known = fields.map(([field, text]) => ({ field, terms: new Set(searchTerms(text)) }));
  const shown = parts.map((each): FoundScorePart => {
    const score = Math.round(each.score * 1000) / 1000;
    if (each.part !== "term") return { part: each.part, score };
    const { term } = each;
    const found = known.filter(({ terms }) => terms.has(term)).map(({ field }) => field);
    const inFields = found.length === 0 ? [hidden] : found;
    return { part: "term", term: wordOf.get(term) ?? term, fields: inFields, score };
  });
  return shown.toSorted((one, other) => other.score - one.score);
}

/** The first word of the query that gives each term, without punctuation around it. */
function wordsByTerm(query: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const piece of query.split(/\s+/)) {
    const word = piece.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    const terms = searchTerms(word);
    // A part of an identifier is shown as it was searched for.
    const [only] = terms.length === 1 ? terms : [];
    if (only !== undefined && !words.has(only)) words.set(only, word);
  }
  return words;
}
