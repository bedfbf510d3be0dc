import type { SearchIndex } from "../search-index.ts";
import { isSessionKind, type SearchDocument } from "../document.ts";
import type { EntryTable, KnownEntry } from "./entry-table.ts";
import type { ReadEntry, SearchSource, SourceEntry } from "../source.ts";

export interface RefreshInput {
  readonly source: SearchSource;
  readonly index: SearchIndex;
  /** The files of the source that are in the index; kept in step with it. */
  readonly table: EntryTable;
  readonly readsAtOnce: number;
  /** Awaited now and then, so that a long time of reading keeps nobody else from working. */
  readonly pause: () => Promise<void>;
  /** Whether nobody waits for the rest: what is read by then is taken, and what is not is read another time. */
  readonly isStopped: () => boolean;
}

export interface RefreshedSource {
  /** How many documents came, went or were replaced. */
  readonly changed: number;
  /** How many files were known that are gone, or are something else by now. */
  readonly forgotten: number;
  /** What failed, as sentences. */
  readonly notes: readonly string[];
}

/** Brings the part of an index that comes from a source up to date: only what was changed is read. */
export async function refreshSource(input: RefreshInput): Promise<RefreshedSource> {
  const { source } = input;
  const entries = await unlessRefused(() => source.list());
  // A source that cannot be looked at is not an empty one: what is known of it stays.
  if (typeof entries === "string") {
    return { ...NO_CHANGE, notes: [`The ${source.name} were not looked at: ${entries}.`] };
  }
  if (input.table.isUnchanged(entries)) return NO_CHANGE;
  const { unread, gone } = compared(entries, input.table.known());
  const batch = createBatch(input);
  for (const key of gone) batch.drop(key);
  const notes: string[] = [];
  for (let at = 0; at < unread.length && !input.isStopped(); at += input.readsAtOnce) {
    const some = unread.slice(at, at + input.readsAtOnce);
    // oxlint-disable-next-line no-await-in-loop -- so many at once, and no more
    const read = await Promise.all(some.map((entry) => readEntry(input, entry)));
    for (const [place, entry] of some.entries()) {
      const found = read[place];
      if (typeof found === "string") notes.push(found);
      else if (found === undefined) batch.drop(entry.key);
      else batch.take(entry, found);
    }
    if (batch.isLarge()) batch.flush();
    // oxlint-disable-next-line no-await-in-loop -- it is there to be waited for
    if ((at / input.readsAtOnce) % ROUNDS_OF_PAUSE === ROUNDS_OF_PAUSE - 1) await input.pause();
  }
  batch.flush();
  return { changed: batch.changed(), forgotten: batch.forgotten(), notes };
}

const NO_CHANGE: RefreshedSource = { changed: 0, forgotten: 0, notes: [] };

/** A pause takes as long as the reading of a small file. */
const ROUNDS_OF_PAUSE = 16;

function compared(
  entries: readonly SourceEntry[],
  table: ReadonlyMap<string, KnownEntry>,
): { readonly unread: readonly SourceEntry[]; readonly gone: readonly string[] } {
  const unread: SourceEntry[] = [];
  let known = 0;
  for (const entry of entries) {
    const before = table.get(entry.key);
    if (before !== undefined) known++;
    if (before === undefined || before.fingerprint !== entry.fingerprint || entry.fingerprint === "") unread.push(entry);
  }
  if (known === table.size) return { unread, gone: [] };
  const there = new Set(entries.map(({ key }) => key));
  return { unread, gone: [...table.keys()].filter((key) => !there.has(key)) };
}

/** A sentence where it failed. */
async function readEntry(
  { source, table }: RefreshInput,
  entry: SourceEntry,
): Promise<ReadEntry | string | undefined> {
  const before = table.known().get(entry.key);
  const read = await unlessRefused(() => source.read(entry, before));
  return typeof read === "string" ? `${entry.key} was not read: ${read}.` : read;
}

/** Texts of so many characters are held at once, and go into the index together. */
const MOST_CHARACTERS = 2_000_000;

interface Batch {
  readonly take: (entry: SourceEntry, read: ReadEntry) => void;
  readonly drop: (key: string) => void;
  readonly isLarge: () => boolean;
  readonly flush: () => void;
  readonly changed: () => number;
  readonly forgotten: () => number;
}

/** Gathers changes, and makes them all in one moment: a search in between finds a file as it was or as it is. */
function createBatch({ source, index, ...input }: RefreshInput): Batch {
  const table = input.table.known();
  let documents: SearchDocument[] = [];
  let prefixes: string[] = [];
  let entries = new Map<string, KnownEntry | undefined>();
  let characters = 0;
  let changed = 0;
  let forgotten = 0;
  return {
    take: (entry, read) => {
      const before = table.get(entry.key);
      const next = entryAfter(entry, read, before);
      if (read.change === "replace" && isFilled(before)) {
        prefixes.push(idPrefix(source, entry.key));
        forgotten++;
      }
      for (const document of read.documents) {
        documents.push(document);
        characters += (document.body?.length ?? 0) + (document.facts?.length ?? 0);
      }
      if (next.fingerprint !== before?.fingerprint) changed += Math.max(1, read.documents.length);
      entries.set(entry.key, next);
    },
    drop: (key) => {
      const before = table.get(key);
      if (before === undefined) return;
      if (isFilled(before)) prefixes.push(idPrefix(source, key));
      changed += Math.max(1, before.documents);
      forgotten++;
      entries.set(key, undefined);
    },
    isLarge: () => characters > MOST_CHARACTERS,
    flush: () => {
      if (prefixes.length > 0) index.removeStartingWith(prefixes);
      if (documents.length > 0) index.add(documents);
      const known = input.table.known();
      for (const [key, entry] of entries) {
        if (entry === undefined) known.delete(key);
        else known.set(key, entry);
      }
      [documents, prefixes, entries, characters] = [[], [], new Map(), 0];
    },
    changed: () => changed,
    forgotten: () => forgotten,
  };
}

/** What is known of a file once it is read. */
function entryAfter(
  { fingerprint: sign }: SourceEntry,
  { change, documents, cursor: memo, problem = "" }: ReadEntry,
  before: KnownEntry | undefined,
): KnownEntry {
  const kept = change === "add" ? before : undefined;
  const count = (kept?.documents ?? 0) + documents.length;
  const turns = documents.filter(({ kind }) => kind === "turn").length;
  const standing = documents.filter(({ kind = "topic" }) => !isSessionKind(kind)).length;
  return {
    // Why it gave nothing may have nothing to do with the file, so it is looked at again.
    fingerprint: problem !== "" && count === 0 ? "" : sign,
    cursor: memo,
    problem,
    documents: count,
    standing: (kept?.standing ?? 0) + standing,
    turns: (kept?.turns ?? 0) + turns,
  };
}

function isFilled(entry: KnownEntry | undefined): boolean {
  return entry !== undefined && entry.documents > 0;
}

/** What the ids of a file begin with. */
function idPrefix({ name }: SearchSource, key: string): string {
  return `${name}:${key}#`;
}

/** What an action gives, or why it could not, as a part of a sentence. A fault of ours has no code, and stays one. */
async function unlessRefused<T>(action: () => Promise<T>): Promise<T | string> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return error.message;
  }
}
