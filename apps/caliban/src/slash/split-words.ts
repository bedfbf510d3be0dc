/** Words as a shell would split them, with both kinds of quotes and nothing else: no variables, no patterns. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [whole] of text.matchAll(WORD)) words.push(unquoted(whole));
  return words;
}

// A quote that is not closed goes to the end: the person is not done, or meant an apostrophe.
const WORD = /(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'])+/g;
const QUOTED = /"([^"]*)(?:"|$)|'([^']*)(?:'|$)/g;

function unquoted(word: string): string {
  // Inside a word an apostrophe is one: `don't`.
  if (!/^["']|=["']/.test(word)) return word;
  return word.replaceAll(QUOTED, (_, double?: string, single?: string) => double ?? single ?? "");
}
