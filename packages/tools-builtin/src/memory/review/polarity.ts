import { contentTerms, termsOf } from "./terms.ts";

/** What a clause is about, and whether it says that, or the opposite. */
export interface Clause {
  readonly terms: ReadonlySet<string>;
  readonly isNegative: boolean;
  /** A complaint says what is, and means the opposite. */
  readonly isComplaint: boolean;
}

const CLAUSE_END =
  /[,;:.!?()\n–—]|\s-\s|\b(?:but|because|since|although|whereas|aber|sondern|weil|denn)\b/i;
/** What follows is ruled out: "pnpm instead of npm". */
const CONTRAST =
  /\b(?:instead of|rather than|in place of|as opposed to|anstelle von|(?:an)?statt)\b|(?<=\bprefer\w*\b[^,;.]{1,60})\b(?:over|to)\b|(?<=\brather\b[^,;.]{1,60})\bthan\b|(?<=\blieber\b[^,;.]{1,60})\bals\b/iu;
const NEGATION =
  /(?<![\p{L}])(?:no|not|never|none|nothing|nobody|nowhere|without|cannot|\p{L}+n['’]t|dont|stop|avoid\w*|hates?|dislikes?|forbid\w*|forbidden|ban(?:ned|s)?|refuse\w*|nicht|nichts|nie|niemals|kein\w*|ohne|pas|jamais|sans|nunca|sin|non|mai|senza|nooit|niet|geen)(?![\p{L}])/giu;
/** Asks to remember what follows. */
const DO_NOT_FORGET =
  /\b(?:don['’]?t|do not|never) forget\b|\bvergiss nicht\b|n['’]oublie(?:z)? pas\b|\bno olvides\b/giu;
const COMPLAINT = /^\W*(?:you|why (?:do|did|are) you|du|warum)\b/i;

/** Splits a text into clauses. Two negations cancel each other: "don't push without a review". */
export function clausesOf(text: string): readonly Clause[] {
  return text
    .replaceAll(DO_NOT_FORGET, "")
    .split(CLAUSE_END)
    .flatMap((part) => {
      const [said = "", ...ruledOut] = part.split(CONTRAST);
      return [clauseOf(said, 0), ...ruledOut.map((rest) => clauseOf(rest, 1))].filter(
        ({ terms }) => terms.size > 0,
      );
    });
}

function clauseOf(text: string, negations: number): Clause {
  const content = contentTerms(text);
  const count = negations + (text.match(NEGATION)?.length ?? 0);
  return {
    terms: content.size === 0 ? termsOf(text) : content,
    isNegative: count % 2 === 1,
    isComplaint: COMPLAINT.test(text),
  };
}

/** Whether a text says the opposite of what was said, in the same words. */
export function contradicts(text: string, said: readonly Clause[]): boolean {
  return clausesOf(text).some((clause) => {
    const same = said.filter(({ terms }) => isSameSubject(clause.terms, terms));
    return (
      same.length > 0 &&
      same.every((other) => !other.isComplaint && other.isNegative !== clause.isNegative)
    );
  });
}

/** Nearly all words of a clause, and most of the other one. */
function isSameSubject(terms: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...terms].filter((term) => other.has(term)).length;
  return shared >= terms.size * 0.75 && shared > other.size / 2;
}
