import { searchTerms } from "../search/analyzer/query-terms.ts";
import { termWeight } from "./everyday-words.ts";

const MARK = "!";
const NEGATION =
  /\b(?:never|not|don'?t|do not|no(?: more| new)?|instead of|rather than|avoid|stop using|without|no(?:body| one)|kein(?:e|en)?|nicht|niemals|statt|jamais|pas de|nunca)\s+(?:(?:to |please |ever |directly |again )*(?:run|runs|use|using|uses|call|calls|add|install|import|write|writing|mock|mocks of|do|doing|deploy|any|the|a|an|our)\s+){0,2}[`"']?([\w@][\w@./+-]{0,38}[\w+])[`"']?(?:([ ])([\w-]{2,30})|(?:,|,? or|,? and) [`"']?([\w@][\w@./+-]{0,38}[\w+]))?/giu;
const WORD = /[\w@./+-]{2,40}/g;
const MAX_TERMS = 8;
const MAX_WORDS = 400;
const LINK =
  /^(?:in|on|at|for|to|from|of|and|or|but|by|as|is|are|was|it|that|this|there|here|any|with|when|if|because|since|unless|again|directly|anymore|please|the|a|an|by|then|since)$/iu;

/** Whether a term is something that a memory forbids. */
export function isAvoided(term: string): boolean {
  return term.startsWith(MARK);
}

/**
 * What a statement forbids, as terms of their own: `never npm` gives `!npm`, and `don't run pnpm e2e` gives `!pnpm e2e`
 * with the space left out.
 */
export function avoidedTerms(text: string): readonly string[] {
  const found = new Set<string>();
  for (const match of text.replaceAll(/[’‘]/g, "'").matchAll(NEGATION)) {
    for (const term of termsIn(match)) if (found.size < MAX_TERMS) found.add(term);
  }
  return [...found];
}

/** A word or two words after a negation, and one more after "or". */
function termsIn([
  ,
  first = "",
  space,
  second = "",
  other = "",
]: RegExpExecArray): readonly string[] {
  if (LINK.test(first) || /^\d/.test(first)) return [];
  const isPair = space !== undefined && !LINK.test(second);
  const term = isPair ? pairTerm(first, second) : wordTerm(first);
  const more = LINK.test(other) ? undefined : wordTerm(other);
  return [term, more].filter((each) => each !== undefined);
}

/** The arguments after these are what is done, not what it is done to. */
const NAMING = /^(?:add|install|i|get|require|run|exec|dlx|x)$/iu;
const WRAPPER = /^(?:sudo|env|time|exec|command|nohup|\w+=\S*)$/u;
const MAX_PARTS = 20;

/** The words of a command that say what it does: its programs, their first argument and options, and what they install or run. */
export function actionsIn(command: string): string {
  return command
    .split(/[;|&\n]+/)
    .slice(0, MAX_PARTS)
    .map((part) => {
      const words = part.trim().split(/\s+/);
      const [program, first = "", ...rest] = words.slice(
        words.findIndex((word) => !WRAPPER.test(word)),
      );
      const isNaming = NAMING.test(first);
      return [program, first, ...rest.filter((word) => isNaming || word.startsWith("-"))].join(" ");
    })
    .join("\n");
}

/** The terms with which a command or a text does what a memory forbids. */
export function avoidedBy(text: string): ReadonlySet<string> {
  const words = (text.match(WORD) ?? []).slice(0, MAX_WORDS);
  const found = new Set<string>();
  for (const [at, word] of words.entries()) {
    for (const part of [word, ...word.split(/[./@-]/)]) {
      const term = wordTerm(part);
      if (term !== undefined) found.add(term);
    }
    const pair = pairTerm(word, words[at + 1] ?? "");
    if (pair !== undefined) found.add(pair);
  }
  return found;
}

function wordTerm(word: string): string | undefined {
  const term = searchTerms(word).at(-1);
  // "not generate" forbids nothing that a command with that word does.
  return term === undefined || term.length < 3 || termWeight(term) < 1
    ? undefined
    : `${MARK}${term}`;
}

function pairTerm(first: string, second: string): string | undefined {
  const [one, other] = [searchTerms(first).at(-1), searchTerms(second).at(-1)];
  return one === undefined || other === undefined ? undefined : `${MARK}${one}+${other}`;
}
