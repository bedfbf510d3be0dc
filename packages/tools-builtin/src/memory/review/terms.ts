const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;
const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the and or but nor so of to in on at by for from with without into onto about as is are was were be been being am
it its this that these those there here he she they them their his her i me my mine we us our you your yours who whom which what
when where why how if then else than too very can could will would shall should may might must do does did done doing have has had
having not no nor none any all each every some such only own same just also both either neither again once more most other another
out up down off over under before after while during until because since though although whether per via etc eg ie ok okay yes`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/**
 * Words that say nothing about the subject. An agent that writes down what the user said adds them: "the user prefers …",
 * "use … instead of …".
 */
const GLUE_WORDS: ReadonlySet<string> = new Set(
  `user users prefer prefers preferred preference preferences want wants wanted like likes liked wish wishes asked asks ask said
says say told tells stated states mention mentioned mentions explicitly explained correct corrected correction request requested
project projects repository repo repositories codebase code work works working workflow use uses used using always never rule rules
convention conventions note notes noted remember remembered memory topic fact reason reasons apply applies applied instead rather
please avoid avoids hate hates dislike dislikes keep keeps make makes made go goes going come comes through thing things way ways now current currently new default defaults
style team set get gets let lets need needs needed means mean meaning decided decision decisions agreed called name named names
happen happens put puts take takes see sees time times day days today long way good better best one two first last next whole
everything everyone anything something nothing still even much many few lot general generally usually normally related regarding
concerning based following follow follows include includes included including example instance e.g chosen choose chose picked`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** The significant words of a text, without endings, so that `deploys` and `deployed` are the same. */
export function termsOf(text: string): ReadonlySet<string> {
  return new Set(tokenize(text).filter(isSignificant).map(stem));
}

/** The same without words that an agent adds when it writes down what the user said. */
export function contentTerms(text: string): ReadonlySet<string> {
  const words = tokenize(text).filter((word) => isSignificant(word) && !GLUE_WORDS.has(word));
  return new Set(words.map(stem));
}

/** Scripts without spaces are compared by pairs of characters. */
function tokenize(text: string): readonly string[] {
  // Parts of an identifier are words, too: `maxTokens`, `max_tokens`.
  const spaced = text.normalize("NFKC").replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, " ");
  const words = spaced.toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => (CJK.test(word) ? pairsOf(word) : [word.replaceAll("’", "'")]));
}

function pairsOf(word: string): readonly string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  return characters.slice(0, -1).map((character, at) => character + (characters[at + 1] ?? ""));
}

function isSignificant(word: string): boolean {
  return !STOP_WORDS.has(word) && (word.length > 1 || /\d/.test(word) || CJK.test(word));
}

function stem(word: string): string {
  if (word.length < 4 || !/^[a-z']+$/.test(word)) return word;
  return word
    .replace(/'s$/, "")
    .replace(/(?:ies|ied)$/, "y")
    .replace(/(?<=[a-z]{3})(?:ations?|ments?|ings?|edly|ed|ers?|es|s|ly)$/, "")
    .replace(/(?<=[a-z]{2})([bdfglmnprt])\1$/, "$1")
    .replace(/(?<=[a-z]{3})e$/, "");
}
