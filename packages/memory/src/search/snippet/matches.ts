import { analyzeToken, splitIdentifier } from "../analyzer/analyze-token.ts";
import type { AnalyzedQuery } from "../analyzer/query-terms.ts";
import { foldText } from "../analyzer/fold-text.ts";
import { scanTokens } from "../analyzer/scan-tokens.ts";

import { unitsOf } from "../analyzer/text-units.ts";

/** An occurrence of a search term in a text. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

type Query = Pick<AnalyzedQuery, "terms" | "hasOnlyStopWords">;

type MatchesOf = (token: string, query: Query) => readonly Match[];

/** All occurrences of the terms of a query, in order; matched exactly as an index matches them. */
export function findMatches(text: string, query: Query): readonly Match[] {
  if (query.terms.size === 0) return [];
  const matches: Match[] = [];
  // Words repeat, and most of them do not match.
  const known = new Map<string, readonly Match[]>();
  const take = (start: number, end: number, matchesOf: MatchesOf): void => {
    const token = text.slice(start, end);
    let inside = known.get(token);
    if (inside === undefined) {
      inside = matchesOf(token, query);
      known.set(token, inside);
    }
    for (const match of inside) {
      matches.push({ ...match, start: start + match.start, end: start + match.end });
    }
  };
  scanTokens(unitsOf(text), {
    onToken: (from, to) => take(from, to, matchesInToken),
    onCjkRun: (from, to) => take(from, to, matchesInCjkRun),
  });
  return matches;
}

/** The matching parts of an identifier, or the whole identifier. */
function matchesInToken(token: string, query: Query): readonly Match[] {
  const folded = foldText(token);
  const { whole, terms, stops } = analyzeToken(folded);
  const all = { start: 0, end: token.length };
  if (whole !== undefined && query.terms.has(whole)) return [{ ...all, term: whole }];
  const found = query.hasOnlyStopWords ? stops : terms;
  const term = found.find((one) => query.terms.has(one));
  if (term === undefined) return [];
  const lower = folded.toLowerCase();
  if (whole === undefined || lower.length !== token.length) return [{ ...all, term }];
  return partsOf(folded, lower).flatMap(({ part, start, end }) => {
    const inside = analyzeToken(part);
    const one = (query.hasOnlyStopWords ? inside.stops : inside.terms)[0];
    return one !== undefined && query.terms.has(one) ? [{ start, end, term: one }] : [];
  });
}

function partsOf(
  token: string,
  lower: string,
): readonly { readonly part: string; readonly start: number; readonly end: number }[] {
  let last = 0;
  return splitIdentifier(token).parts.map((part) => {
    const start = lower.indexOf(part, last);
    last = start + part.length;
    return { part, start, end: last };
  });
}

/** The matching pairs of characters, and single characters if the query has a single one. */
function matchesInCjkRun(run: string, { terms }: Query): readonly Match[] {
  const matches: Match[] = [];
  // Most runs are already folded and need not be folded piece by piece.
  const fold = foldText(run) === run ? (text: string): string => text : foldText;
  let before = "";
  let at = 0;
  for (const character of run) {
    const end = at + character.length;
    const single = fold(character);
    const pair = fold(before + character);
    if (terms.has(single)) matches.push({ start: at, end, term: single });
    else if (before !== "" && terms.has(pair)) {
      matches.push({ start: at - before.length, end, term: pair });
    }
    before = character;
    at = end;
  }
  return matches;
}
