/**
 * Keys: terms that no text contains, because they start with a control character. They record a property of a document,
 * cost as much as a word, and need no array of their own.
 */

/** The key of turns that announce a change. */
export const AMENDS = "\u0001amends";

/** The key of documents that replace others. */
export const SUPERSEDES = "\u0001supersedes";

/** The key of documents that replace this one. */
export function supersedesKey(id: string): string {
  return `${SUPERSEDES} ${id.toWellFormed()}`;
}

/** Phrases that replace what was said before: "from now on", "no longer", "we moved to". */
const CHANGE = new RegExp(
  String.raw`\b(?:${[
    "from now on|from (?:today|tomorrow|next|this)|as of|no longer|no more|any ?more|instead|rather than|actually|now",
    "chang(?:e|es|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing) (?:to|the|away|from)|migrat(?:e|es|ed|ing)|replac(?:e|es|ed|ing)",
    "updat(?:e|es|ed|ing)|adjust(?:ed|ing)?|modif(?:y|ied)|revis(?:e|ed)|correct(?:ed|ion)|drop(?:ped)?|retired?|scrap(?:ped)?",
    "(?:do not|don't|stop(?:ped)?|not) us(?:e|ing)|(?:is|are) (?:out|gone|wrong|obsolete|outdated|deprecated)",
    "(?:not|isn't|wasn't) enough|(?:is|was|are|were) (?:far |much |way )?too|different(?:ly)?",
    "new (?:convention|guideline|plan|policy|rule|standard|way)|(?:must|should|will) be",
  ].join("|")})\b`,
  "i",
);
/** An announcement is short, or at the start of a longer text. */
const MAX_CHARACTERS = 2_000;

export function announcesChange(text: string): boolean {
  return CHANGE.test(text.slice(0, MAX_CHARACTERS));
}
