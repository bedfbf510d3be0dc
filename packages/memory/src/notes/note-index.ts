import type { EntryNotes, NoteRecord } from "./note-record.ts";

/** A record in the index, with the entry that it comes from. */
export interface IndexedNote extends NoteRecord {
  /** The source and key of its entry: `topics:deploy`. */
  readonly entry: string;
  /** Its place in the order in which records were added. */
  readonly number: number;
}

/** A record that shares terms with a query. Each mass is the sum of the weights of the shared terms. */
export interface MatchedNote {
  readonly note: IndexedNote;
  readonly own: number;
  readonly near: number;
  /** Of its whole conversation, including its own. */
  readonly whole: number;
}

/** Which of the matching records are wanted. */
export interface MatchRequest {
  /** In their own words and next to them. */
  readonly minMass: number;
  /** At most this many. */
  readonly count: number;
  /** Records with a score of 0 are left out. */
  readonly scoreOf: (match: MatchedNote) => number;
}

/** A term of a query with its weight, before rarity. */
export type QueryTerms = ReadonlyMap<string, number>;

/** Finds records by their terms. Everything is in memory. */
export interface NoteIndex {
  /** Replaces the records of an entry, or adds to them. */
  readonly add: (entry: string, notes: EntryNotes, change: "add" | "replace") => void;
  readonly remove: (entry: string) => void;
  /** The number of records. */
  readonly size: () => number;
  /** Changes whenever the records do. */
  readonly version: () => number;
  /** How rare a term is: from 1 for a term of one entry to 0 for one of nearly all. */
  readonly rarity: (term: string) => number;
  /** The best records that contain terms of the query, best first. */
  readonly match: (terms: QueryTerms, request: MatchRequest) => readonly MatchedNote[];
  /** The records with `applies`. */
  readonly applying: () => readonly IndexedNote[];
  /** The records that name what they replace. */
  readonly superseding: () => readonly IndexedNote[];
  /** Whether an entry contains a term anywhere. */
  readonly hasTerm: (entry: string, term: string) => boolean;
  /** The records of an entry. */
  readonly ofEntry: (entry: string) => readonly IndexedNote[];
}

interface Entry {
  readonly name: string;
  readonly notes: IndexedNote[];
  readonly terms: Set<string>;
  isRemoved: boolean;
}

/** Where a term occurs. The last bit of a place says whether it is in the own words of the record. */
interface Posting {
  readonly places: number[];
  /** Entries with the term, by number. */
  readonly entries: number[];
  live: number;
}

/** With few entries, nothing can be said about how rare a term is. */
const ASSUMED_ENTRIES = 60;

export function createNoteIndex(): NoteIndex {
  let entries: Entry[] = [];
  let notes: (IndexedNote | undefined)[] = [];
  let entryOf: number[] = [];
  let postings = new Map<string, Posting>();
  let byName = new Map<string, number>();
  let size = 0;
  let version = 0;
  let masses: Masses = createMasses(0, 0);
  let applying: Set<IndexedNote> = new Set();
  let superseding: Set<IndexedNote> = new Set();

  const postingOf = (term: string): Posting => {
    const known = postings.get(term);
    if (known !== undefined) return known;
    const posting: Posting = { places: [], entries: [], live: 0 };
    postings.set(term, posting);
    return posting;
  };
  const addTerm = (term: string, entryNumber: number, entry: Entry): Posting => {
    const posting = postingOf(term);
    if (!entry.terms.has(term)) {
      entry.terms.add(term);
      posting.entries.push(entryNumber);
      posting.live++;
    }
    return posting;
  };
  const remove = (name: string): void => {
    const number = byName.get(name);
    const entry = number === undefined ? undefined : entries[number];
    if (number === undefined || entry === undefined) return;
    byName.delete(name);
    entry.isRemoved = true;
    for (const term of entry.terms) {
      const posting = postings.get(term);
      if (posting !== undefined) posting.live--;
    }
    for (const note of entry.notes) {
      notes[note.number] = undefined;
      applying.delete(note);
      superseding.delete(note);
      size--;
    }
    if (notes.length > 1_000 && size < notes.length / 2) compact();
  };
  const add = (name: string, added: EntryNotes): void => {
    if (added.records.length === 0 && added.vocabulary.length === 0) return;
    let entryNumber = byName.get(name);
    if (entryNumber === undefined) {
      entryNumber = entries.length;
      entries.push({ name, notes: [], terms: new Set(), isRemoved: false });
      byName.set(name, entryNumber);
    }
    const entry = entries[entryNumber];
    if (entry === undefined) return;
    for (const record of added.records) {
      const note: IndexedNote = { ...record, entry: name, number: notes.length };
      notes.push(note);
      entryOf.push(entryNumber);
      entry.notes.push(note);
      size++;
      for (const term of record.own)
        addTerm(term, entryNumber, entry).places.push(note.number * 2 + 1);
      for (const term of record.near)
        addTerm(term, entryNumber, entry).places.push(note.number * 2);
      if (record.applies !== undefined) applying.add(note);
      if (record.supersedes !== undefined) superseding.add(note);
    }
    for (const term of added.vocabulary) addTerm(term, entryNumber, entry);
  };
  /** Builds everything again, without what was removed. */
  function compact(): void {
    const kept = entries.filter(({ isRemoved }) => !isRemoved);
    [entries, notes, entryOf, postings, byName] = [[], [], [], new Map(), new Map()];
    [size, applying, superseding] = [0, new Set(), new Set()];
    for (const { name, notes: records, terms } of kept)
      add(name, { records, vocabulary: [...terms] });
  }
  const rarity = (term: string): number => {
    const live = postings.get(term)?.live ?? 0;
    const all = byName.size + ASSUMED_ENTRIES;
    return Math.max(0, Math.log(all / (live + 0.5)) / Math.log(all / 1.5));
  };
  return {
    add: (entry, added, change) => {
      version++;
      if (change === "replace") remove(entry);
      add(entry, added);
    },
    remove: (entry) => {
      version++;
      remove(entry);
    },
    version: () => version,
    size: () => size,
    rarity,
    match: (terms, { minMass, count, scoreOf }) => {
      if (masses.own.length < notes.length || masses.whole.length < entries.length)
        masses = createMasses(notes.length, entries.length);
      const { own, near, whole } = masses;
      const touched: number[] = [];
      const touchedEntries: number[] = [];
      for (const [term, weight] of terms) {
        const posting = postings.get(term);
        if (posting === undefined || posting.live === 0) continue;
        const mass = weight * Math.min(1, rarity(term));
        if (mass <= 0) continue;
        for (const entry of posting.entries) {
          if (whole[entry] === 0) touchedEntries.push(entry);
          whole[entry] = (whole[entry] ?? 0) + mass;
        }
        for (const place of posting.places) {
          const number = place >> 1;
          if (own[number] === 0 && near[number] === 0) touched.push(number);
          const field = place % 2 === 1 ? own : near;
          field[number] = (field[number] ?? 0) + mass;
        }
      }
      const best = createBest(count);
      for (const number of touched) {
        const note = notes[number];
        const [ownMass, nearMass] = [own[number] ?? 0, near[number] ?? 0];
        if (note === undefined || ownMass + nearMass < minMass) continue;
        const all = whole[entryOf[number] ?? 0] ?? 0;
        const match = { note, own: ownMass, near: nearMass, whole: all };
        best.offer(match, scoreOf(match));
      }
      for (const number of touched) own[number] = near[number] = 0;
      for (const entry of touchedEntries) whole[entry] = 0;
      return best.all();
    },
    applying: () => [...applying],
    superseding: () => [...superseding],
    hasTerm: (entry, term) => entries[byName.get(entry) ?? -1]?.terms.has(term) === true,
    ofEntry: (entry) => entries[byName.get(entry) ?? -1]?.notes ?? [],
  };
}

/** Keeps the matches with the highest scores. There are few, so that inserting one is faster than sorting all. */
function createBest(count: number): {
  readonly offer: (match: MatchedNote, score: number) => void;
  readonly all: () => readonly MatchedNote[];
} {
  const best: { readonly match: MatchedNote; readonly score: number }[] = [];
  return {
    offer: (match, score) => {
      const bar = best.length < count ? 0 : (best.at(-1)?.score ?? 0);
      if (score <= bar) return;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.score ?? 0) < score) at--;
      best.splice(at, 0, { match, score });
      if (best.length > count) best.pop();
    },
    all: () => best.map(({ match }) => match),
  };
}

/** Sums for every record and entry, which are zero between queries. */
interface Masses {
  readonly own: Float64Array;
  readonly near: Float64Array;
  readonly whole: Float64Array;
}

function createMasses(notes: number, entries: number): Masses {
  return {
    own: new Float64Array(notes * 2),
    near: new Float64Array(notes * 2),
    whole: new Float64Array(entries * 2),
  };
}
