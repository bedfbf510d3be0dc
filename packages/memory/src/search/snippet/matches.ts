import { analyzeToken, splitIdentifier } from "../analyzer/analyze-token.ts";
import type { AnalyzedQuery } from "../analyzer/query-terms.ts";
import { foldText } from "../analyzer/fold-text.ts";
import { scanTokens } from "../analyzer/scan-tokens.ts";

import { unitsOf } from "../analyzer/text-units.ts";

/** A place of a text at which something stands that is looked for. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

type Wanted = Pick<AnalyzedQuery, "terms" | "isOnlyStops">;

type MatchesOf = (form: string, wanted: Wanted) => readonly Match[];

/** Where the terms of a query stand, in order; found as an index finds them. */
export function findMatches(text: string, wanted: Wanted): readonly Match[] {
  if (wanted.terms.size === 0) return [];
  const matches: Match[] = [];
  // Words repeat, and most are none that are looked for.
  const known = new Map<string, readonly Match[]>();
  const take = (start: number, end: number, matchesOf: MatchesOf): void => {
    const form = text.slice(start, end);
    let inside = known.get(form);
    if (inside === undefined) {
      inside = matchesOf(form, wanted);
      known.set(form, inside);
    }
    for (const match of inside) {
      matches.push({ ...match, start: start + match.start, end: start + match.end });
    }
  };
  scanTokens(unitsOf(text), {
    onToken: (from, to) => take(from, to, matchesInForm),
    onCjkRun: (from, to) => take(from, to, matchesInRun),
  });
  return matches;
}

/** The parts of an identifier that are looked for, or all of it. */
function matchesInForm(form: string, wanted: Wanted): readonly Match[] {
  const folded = foldText(form);
  const { whole, terms, stops } = analyzeToken(folded);
  const all = { start: 0, end: form.length };
  if (whole !== undefined && wanted.terms.has(whole)) return [{ ...all, term: whole }];
  const found = wanted.hasOnlyStopWords ? stops : terms;
  const term = found.find((one) => wanted.terms.has(one));
  if (term === undefined) return [];
  const lower = folded.toLowerCase();
  if (whole === undefined || lower.length !== form.length) return [{ ...all, term }];
  return partsOf(folded, lower).flatMap(({ part, start, end }) => {
    const inside = analyzeToken(part);
    const one = (wanted.hasOnlyStopWords ? inside.stops : inside.terms)[0];
    return one !== undefined && wanted.terms.has(one) ? [{ start, end, term: one }] : [];
  });
}

function partsOf(
  form: string,
  lower: string,
): readonly { readonly part: string; readonly start: number; readonly end: number }[] {
  let last = 0;
  return splitIdentifier(form).parts.map((part) => {
    const start = lower.indexOf(part, last);
    last = start + part.length;
    return { part, start, end: last };
  });
}

/** The pairs of characters that are looked for, and single ones where only one was named. */
function matchesInRun(run: string, { terms }: Wanted): readonly Match[] {
  const matches: Match[] = [];
  // Most runs are as they would be folded, and need not be folded piece by piece.
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
