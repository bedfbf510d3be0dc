import { termBeginnings } from "../analyzer/term-beginnings.ts";

/** Longer texts are looked at in parts. */
const PART = 16 * 1024;
/** What is shown of a part goes no further beyond it. */
const MARGIN = 1_024;
const MOST_PARTS = 3;
const MOST_BEGINNINGS = 16;

/**
 * The parts of a text that are worth a close look for terms, best first: a long one is searched for how their words begin,
 * which takes a small part of the time. A short text is one part, and so is the beginning of one with nothing of them in it.
 */
export function likelyParts(
  text: string,
  terms: Iterable<string>,
  maxCharacters: number,
): readonly string[] {
  if (text.length <= 2 * PART || maxCharacters > MARGIN) return [text];
  const weights = weightsOfParts(text.toLowerCase(), terms);
  const best = [...weights]
    .toSorted(([one, more], [other, less]) => less - more || one - other)
    .slice(0, MOST_PARTS)
    .map(([part]) => part);
  return (best.length === 0 ? [0] : best).map((part) => partAt(text, part));
}

/** How much of what is looked for each part has; a word counts the more, the fewer parts have it. */
function weightsOfParts(lower: string, terms: Iterable<string>): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const beginning of termBeginnings(terms).slice(0, MOST_BEGINNINGS)) {
    const parts: number[] = [];
    for (let at = lower.indexOf(beginning); at !== -1;) {
      const part = Math.floor(at / PART);
      parts.push(part);
      at = lower.indexOf(beginning, (part + 1) * PART);
    }
    for (const part of parts) weights.set(part, (weights.get(part) ?? 0) + 1 / parts.length);
  }
  return weights;
}

const HALVES_AT_ENDS = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

function partAt(text: string, part: number): string {
  const start = Math.max(0, part * PART - MARGIN);
  return text.slice(start, (part + 1) * PART + MARGIN).replaceAll(HALVES_AT_ENDS, "");
}
