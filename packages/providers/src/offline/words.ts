/** Words that carry no meaning in a search. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about again all also am an and any anything are as at be been but by can could currently did do does doing don done
  ever explain find for from get gets go had has have having he her here him his how i if in into is it its just know
  let ll look m make me memory my need note notes now of on or our please re remember remind s said say search she
  should show so some something t tell than that the their them then there these they thing things this those to told
  too up us use used uses using usually ve want was way we were what when where which who whom whose why will with would
  you your`.split(/\s+/),
);

const MAX_WORDS = 12;
const MIN_STEM_LENGTH = 3;
const ROOT_LENGTH = 5;

/** Words that people use interchangeably when they talk about a repository. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["deploy", "ship", "release", "publish", "rollout"],
  ["test", "tests", "check", "spec"],
  ["run", "start", "launch", "execute"],
  ["build", "compile", "bundle"],
  ["install", "setup", "bootstrap"],
  ["database", "db", "postgres", "sqlite", "mysql"],
  ["repository", "repo"],
  ["documentation", "docs", "guide", "wiki"],
  ["prefer", "like", "want", "favourite", "favorite"],
  ["style", "format", "lint", "convention"],
  ["command", "script"],
  ["staging", "environment", "env"],
];

/** One word of a question with the other forms in which a topic may contain it. */
export type WordForms = readonly string[];

/** The words of a text that carry its meaning. */
export function significantTerms(text: string): readonly string[] {
  const words = tokenize(text).filter((word) => !STOP_WORDS.has(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Each content word with its stems. */
export function closeForms(text: string): readonly WordForms[] {
  return significantTerms(text).map((word) => unique([word], stemsOf(word)));
}

/** The same with synonyms and word roots, for a second search. */
export function wideForms(text: string): readonly WordForms[] {
  return closeForms(text).map((forms) => {
    const synonyms = SYNONYMS.filter((group) => group.some((word) => forms.includes(word))).flat();
    const roots = forms.filter((form) => form.length > ROOT_LENGTH);
    return unique(
      forms,
      synonyms,
      roots.map((form) => form.slice(0, ROOT_LENGTH)),
    );
  });
}

const MAX_QUERY_CHARACTERS = 500;

/** The query for MemorySearch. */
export function queryOf(forms: readonly WordForms[]): string {
  const words = [...new Set(forms.flat())];
  let query = "";
  for (const word of words) {
    if (query.length + word.length >= MAX_QUERY_CHARACTERS) break;
    query = query === "" ? word : `${query} ${word}`;
  }
  return query;
}

/** The share of the words that a text contains in one of their forms, from 0 to 1. */
export function coverage(forms: readonly WordForms[], text: string): number {
  if (forms.length === 0) return 0;
  const words = tokenize(text);
  const found = forms.filter((group) =>
    group.some((form) =>
      words.some(
        (word) => word === form || (form.length >= MIN_STEM_LENGTH && word.startsWith(form)),
      ),
    ),
  );
  const isAllPairs = forms.every(([word = ""]) => UNSPACED.test(word));
  return Math.min(1, (found.length / forms.length) * (isAllPairs ? PAIR_WEIGHT : 1));
}

/** Many pairs of characters span two words, and no topic contains those. */
const PAIR_WEIGHT = 1.5;

function unique(...lists: readonly WordForms[]): WordForms {
  return [...new Set(lists.flat())];
}

/** Words in lower case. In a script without spaces, each two adjacent characters count as a word. */
function tokenize(text: string): readonly string[] {
  const words = text.normalize("NFKC").toLowerCase().match(WORDS) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : word));
}

const UNSPACED_CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const UNSPACED = new RegExp(`^${UNSPACED_CHARACTER.source}`, "u");
const WORDS = new RegExp(
  `${UNSPACED_CHARACTER.source}+|(?:(?!${UNSPACED_CHARACTER.source})[\\p{L}\\p{M}\\p{N}])+`,
  "gu",
);
// Two hiragana are more often grammar than a word.
const ONLY_HIRAGANA = /^\p{Script=Hiragana}+$/u;

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  return characters.length === 1 ? characters : pairs.filter((pair) => !ONLY_HIRAGANA.test(pair));
}

const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/ments?$/, [""]],
  [/(?:ation|ations)$/, ["", "e"]],
  [/ies$/, ["y"]],
  [/ing$/, ["", "e"]],
  [/ed$/, ["", "e"]],
  [/es$/, ["", "e"]],
  [/(?<!s)s$/, [""]],
];

function stemsOf(word: string): readonly string[] {
  return ENDINGS.flatMap(([ending, replacements]) =>
    ending.test(word) ? replacements.map((letters) => word.replace(ending, letters)) : [],
  )
    .flatMap((stem) => [stem, stem.replace(/([b-df-hj-np-tv-z])\1$/, "$1")])
    .filter((stem) => stem.length >= MIN_STEM_LENGTH);
}
