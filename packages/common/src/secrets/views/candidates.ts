import { createView, type Replacement, type TextView } from "./text-view.ts";

// All characters of tokens and of what their patterns look at before and after them.
const LONG_WORD = /(?<![\w+/=.~%:$!@*\\-])[\w+/=.~%:$!@*\\-]{15,}/g;
// Unlike names, tokens have digits, or mix upper and lower case.
const MAY_BE_TOKEN = /\d|[A-Z][a-z][A-Z]|[a-z][A-Z]{2}|[A-Z]{12}|[A-Za-z]{20}/;

/** Shows only the words that may contain a token: a few in most texts, and there are hundreds of forms to look for. */
export function keepCandidates(text: string): TextView {
  return createView(text, findGaps(text));
}

function* findGaps(text: string): Iterable<Replacement> {
  let start = 0;
  for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
    if (!MAY_BE_TOKEN.test(word)) continue;
    if (index > start) yield { start, end: index, shown: "\n" };
    start = index + word.length;
  }
  if (start < text.length) yield { start, end: text.length, shown: "\n" };
}
