import { isAvoided } from "./avoided-terms.ts";
import { termWeight } from "./everyday-words.ts";
import type { MatchedNote, NoteIndex } from "./note-index.ts";
import type { NoteQuery } from "./note-query.ts";

/** In what a record and a query agree. */
export interface Agreement {
  readonly terms: readonly string[];
  /** How many terms are no coincidence; how many of these are in its own words, and how many say what it is about. */
  readonly counted: number;
  readonly inOwn: number;
  readonly significant: number;
  /** The share of the message that it contains, and the same without the words of the path. */
  readonly coverage: number;
  readonly beyondPath: number;
  /** Whether something of the call itself matches, and not only the message. */
  readonly isAboutCall: boolean;
  /** Whether it forbids what the call does. */
  readonly isForbidden: boolean;
  /** Whether it comes from a conversation about the same file, among others. */
  readonly isSameFile: boolean;
  /** Whether it names the directory that is written to, or hardly anything else is about the file or what it imports. */
  readonly isNamed: boolean;
  /** Whether a telling word of its own is in the message and in the path, or it says all that the name of the file says. */
  readonly isSubject: boolean;
  /** Whether a word of its own says nearly everything. */
  readonly hasTelling: boolean;
}

/** A term of less than this mass is a coincidence. */
const MIN_TERM_MASS = 0.15;
const TELLING_MASS = 0.85;
const MIN_FILE_RARITY = 0.55;
const MIN_NAMED_RARITY = 0.75;
const MIN_SUBJECT_RARITY = 0.6;
/** A long message says many things, of which a memory concerns one. */
const MAX_MESSAGE_MASS = 3.5;

export function agreementOf(index: NoteIndex, query: NoteQuery, { note }: MatchedNote): Agreement {
  const own = new Set(note.own);
  const near = new Set(note.near);
  const words: Words = { own, has: (term) => own.has(term) || near.has(term) };
  const terms = [...query.all.keys()].filter(words.has);
  const massOf = (term: string): number =>
    (query.all.get(term) ?? 0) * Math.min(1, index.rarity(term));
  const counted = terms.filter((term) => massOf(term) >= MIN_TERM_MASS);
  const telling = counted.filter((term) => own.has(term) && isSignificant(term));
  return {
    terms,
    counted: counted.length,
    inOwn: counted.filter((term) => own.has(term)).length,
    significant: counted.filter(isSignificant).length,
    coverage: coverageOf(index, query.message, words.has),
    beyondPath: coverageOf(
      index,
      query.message,
      (term) => words.has(term) && !query.place.has(term),
    ),
    isAboutCall: [...query.call.keys()].some(words.has),
    isForbidden: terms.some((term) => own.has(term) && isAvoided(term)),
    isSameFile: query.file.some((term) => words.has(term) && index.rarity(term) >= MIN_FILE_RARITY),
    isNamed: isNamed(index, query, words),
    isSubject: isSubject(index, query, { own, telling }),
    hasTelling: telling.some((term) => massOf(term) >= TELLING_MASS),
  };
}

interface Words {
  readonly own: ReadonlySet<string>;
  readonly has: (term: string) => boolean;
}

function isSignificant(term: string): boolean {
  return termWeight(term) === 1;
}

function isNamed(
  index: NoteIndex,
  { directory, dependencies, file }: NoteQuery,
  { own, has }: Words,
): boolean {
  const isRare = (term: string): boolean => index.rarity(term) >= MIN_NAMED_RARITY;
  return (
    directory.some((term) => own.has(term) && isRare(term)) ||
    dependencies.some((term) => has(term) && isRare(term)) ||
    file.slice(1).some((term) => has(term) && isRare(term))
  );
}

/** The name of a new file only repeats the message. */
function isSubject(
  index: NoteIndex,
  { message, place, name, isExistingFile }: NoteQuery,
  { own, telling }: { readonly own: ReadonlySet<string>; readonly telling: readonly string[] },
): boolean {
  if (!isExistingFile) return false;
  const isRare = (term: string): boolean => index.rarity(term) >= MIN_SUBJECT_RARITY;
  if (telling.some((term) => message.has(term) && place.has(term) && isRare(term))) return true;
  const isTelling = name.some((term) => isSignificant(term) && isRare(term));
  return isTelling && name.every((term) => own.has(term));
}

/** The share of the message's words for which a test holds, weighted by rarity. */
function coverageOf(
  index: NoteIndex,
  message: ReadonlyMap<string, number>,
  has: (term: string) => boolean,
): number {
  let [all, covered] = [0, 0];
  for (const [term, weight] of message) {
    const mass = weight * Math.min(1, index.rarity(term));
    all += mass;
    if (has(term)) covered += mass;
  }
  return all === 0 ? 0 : covered / Math.min(all, MAX_MESSAGE_MASS);
}
