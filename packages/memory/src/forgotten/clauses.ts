/** A part of a statement that is either said or denied. */
export interface Clause {
  readonly text: string;
  readonly isNegative: boolean;
}

/** A mark only counts before a space: `ship:docs` and `1,000` are one word. */
const BREAK = /[,;:.!?]+(?=\s|$)|[()[\]"“”«»–—]+|\s-+\s|\b(?:but|whereas|sondern|mais|pero)\b/giu;
/** What follows is what is not done. */
const REJECTION =
  /\b(?:instead of|rather than|as opposed to|in place of|and not|anstatt|statt|au lieu de|en vez de)\b/iu;
const PREFERENCE = /\b(?:prefer\w*|favou?r\w*|choose\w*|chose|like\w*)\b/iu;
const OVER = /\bover\b/iu;
const SWITCH = /\b(?:switch|mov|migrat|chang)\w*\s+(?:away\s+)?from\b(?<old>.+?)\bto\b/iu;

const NEGATOR =
  /\b(?:not|never|no longer|no|none|nor|without|avoid\w*|cannot|stop|stopped|refrain\w*|nicht|kein\w*|nie|niemals|ohne|jamais|pas|sans|nunca|sin)\b|n't\b/iu;
/** They deny what comes before them. */
const FINAL_NEGATOR = /\b(?:forbidden|banned|disallowed|prohibited|off[- ]limits|verboten)\b/iu;
/** "X not Y" denies only Y, "X is not Y" all of it. */
const HALF_NEGATOR = /^(?:not|no|without|avoid\w*|nicht|kein\w*|ohne|pas|sans|sin)$/iu;
const AUXILIARY =
  /(?:^|\s)(?:am|is|are|was|were|be|been|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had|to|we|you|i|they|it|ist|sind|soll|sollen|darf|dürfen|ne\s+\S+|n'\S+)\s*$/iu;

/** Splits a statement into clauses and finds out which are negated. */
export function clausesOf(statement: string): readonly Clause[] {
  return statement.split(BREAK).flatMap((part) => (part.trim() === "" ? [] : contrasted(part)));
}

function contrasted(part: string): readonly Clause[] {
  const old = SWITCH.exec(part)?.groups?.["old"];
  if (old !== undefined) {
    const at = part.indexOf(old);
    return [
      { text: part.slice(0, at), isNegative: false },
      { text: old, isNegative: true },
      { text: part.slice(at + old.length), isNegative: false },
    ];
  }
  const rejection = REJECTION.exec(part) ?? (PREFERENCE.test(part) ? OVER.exec(part) : null);
  if (rejection === null) return negated(part);
  return [
    ...negated(part.slice(0, rejection.index)),
    { text: part.slice(rejection.index + rejection[0].length), isNegative: true },
  ];
}

function negated(part: string): readonly Clause[] {
  const negator = NEGATOR.exec(part);
  if (negator === null) return [{ text: part, isNegative: FINAL_NEGATOR.test(part) }];
  const before = part.slice(0, negator.index);
  const after = part.slice(negator.index + negator[0].length);
  const isHalf = HALF_NEGATOR.test(negator[0]) && !AUXILIARY.test(before);
  if (isHalf && /\p{L}/u.test(before)) {
    return [
      { text: before, isNegative: false },
      { text: after, isNegative: true },
    ];
  }
  return [{ text: `${before} ${after}`, isNegative: true }];
}
