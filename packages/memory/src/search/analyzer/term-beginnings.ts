const LONGEST = 4;

/**
 * What a text has somewhere, in lower case, that holds one of these terms: how their words begin. To look for these takes a
 * fraction of the time that it takes to take a text apart. It finds a little too much, and misses an identifier that is written
 * in parts of a letter or two.
 */
export function termBeginnings(terms: Iterable<string>): readonly string[] {
  return [...new Set(Array.from(terms, beginningOf))];
}

/** The last letter of a stem need not be the one that stands in the word. */
function beginningOf(term: string): string {
  const isStem = /^[a-z]{3,}$/.test(term);
  return term.slice(0, isStem ? Math.min(LONGEST, term.length - 1) : LONGEST);
}
