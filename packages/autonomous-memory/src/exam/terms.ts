/** A significant word of a text, in a form in which two spellings of it are equal. */
export interface Term {
  readonly key: string;
  /** How likely it survives rephrasing: 2 for what looks like code or a number, 1 for a name, 0 for another word. */
  readonly weight: 0 | 1 | 2;
}

const WORD = /[\p{L}\p{N}]+(?:[._/@:+-]+[\p{L}\p{N}]+)*/gu;
// Written without spaces, so that words of these scripts cannot be compared.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const SUFFIX = /(?:ments?|ations?|ings?|ions?|ed|es|ly|s)$/;
const MAX_CHARACTERS = 4_000;
const KEY_CHARACTERS = 6;
const MIN_CHARACTERS = 3;

const COMMON: ReadonlySet<string> = new Set(
  `a about after again all also always an and any are as at be because been before but by can cannot could did do does
  done dont each else ever every few for from get had happen happens has have here how if in instead into is it its just keep last let
  like look make may more most much must need never new no not now of off on once one only or other our out over please
  prefer put same say see shall should so some still such take tell than that the their them then there these they
  thing this those to too two under until up use used user uses using very want was we were what when where which
  while who why will with within without work would yes you your`.split(/\s+/),
);

/** The significant words of a text, each once, in order. */
export function termsOf(text: string): readonly Term[] {
  const terms = new Map<string, Term>();
  const codes = new Set(
    Array.from(
      text.slice(0, MAX_CHARACTERS).matchAll(/`([^`\n]{1,200})`/g),
      ([, code = ""]) => code,
    )
      .flatMap((code) => code.match(WORD) ?? [])
      .map((word) => word.toLowerCase()),
  );
  for (const { 0: word, index } of text.slice(0, MAX_CHARACTERS).normalize("NFKC").matchAll(WORD)) {
    const lower = word.toLowerCase();
    if (UNSPACED.test(word) || COMMON.has(lower)) continue;
    const isCode = /\d|[._/@:+-]|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u.test(word) || codes.has(lower);
    if (!isCode && lower.length < MIN_CHARACTERS) continue;
    const isName = index > 0 && /^\p{Lu}/u.test(word);
    const key = isCode ? lower : stemOf(lower);
    if (!terms.has(key)) terms.set(key, { key, weight: isCode ? 2 : isName ? 1 : 0 });
  }
  return [...terms.values()];
}

/** Everything that a text can be found by: its words, the parts of compound ones, and their stems. */
export function keysOf(text: string): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
    for (const part of [word, ...word.split(/[._/@:+-]+/)]) {
      keys.add(part);
      keys.add(stemOf(part));
    }
  }
  return keys;
}

/** `deploy`, `deploys`, `deploying` and `deployment` have the same stem. */
function stemOf(word: string): string {
  const stem = word.length > KEY_CHARACTERS - 1 ? word.replace(SUFFIX, "") : word.replace(/s$/, "");
  return stem.slice(0, KEY_CHARACTERS);
}
