import type { SearchIndex } from "../engine/search-index.ts";
import { isSessionKind, type SearchDocument } from "../engine/document.ts";
import type { EntryTable, KnownEntry } from "./entry-table.ts";
import type { NoteKeeper } from "./note-keeper.ts";
import type { ReadEntry, SearchSource, SourceEntry } from "./source.ts";

export interface RefreshInput {
  readonly source: SearchSource;
  readonly index: SearchIndex;
  readonly notes: NoteKeeper;
  /** The entries of the source that are in the index; updated together with it. */
  readonly table: EntryTable;
  readonly concurrency: number;
  /** Awaited regularly, so that long reads do not block the process. */
  readonly pause: () => Promise<void>;
  /** Whether to stop: entries read so far are kept, the others are read next time. */
  readonly isStopped: () => boolean;
}

export interface RefreshedSource {
  /** How many documents were added, removed or replaced. */
  readonly changed: number;
  /** How many known entries were removed or replaced. */
  readonly forgotten: number;
  /** What failed. Each is a full sentence. */
  readonly notes: readonly string[];
}

/** Updates the part of an index that comes from one source. Only changed entries are read. */
export async function refreshSource(input: RefreshInput): Promise<RefreshedSource> {
  const { source } = input;
  const entries = await resultOrMessage(() => source.list());
  // A source that cannot be listed is not empty: its known entries stay.
  if (typeof entries === "string") {
    return { ...NO_CHANGE, notes: [`Could not check the ${source.name}: ${entries}.`] };
  }
  if (input.table.isUnchanged(entries)) return NO_CHANGE;
  const { unread, removed } = compareEntries(entries, input.table.known());
  const batch = createBatch(input);
  for (const key of removed) batch.drop(key);
  const notes: string[] = [];
  for (let at = 0; at < unread.length && !input.isStopped(); at += input.concurrency) {
    const some = unread.slice(at, at + input.concurrency);
    // Limits the concurrency.
    const read = await Promise.all(some.map((entry) => readEntry(input, entry)));
    for (const [position, entry] of some.entries()) {
      const found = read[position];
      if (typeof found === "string") notes.push(found);
      else if (found === undefined) batch.drop(entry.key);
      else batch.take(entry, found);
    }
    if (batch.isLarge()) batch.flush();
    if ((at / input.concurrency) % ROUNDS_PER_PAUSE === ROUNDS_PER_PAUSE - 1) await input.pause();
  }
  batch.flush();
  return { changed: batch.changed(), forgotten: batch.forgotten(), notes };
}

const NO_CHANGE: RefreshedSource = { changed: 0, forgotten: 0, notes: [] };

/** A pause takes as long as reading a small file. */
const ROUNDS_PER_PAUSE = 16;

function compareEntries(
  entries: readonly SourceEntry[],
  table: ReadonlyMap<string, KnownEntry>,
): { readonly unread: readonly SourceEntry[]; readonly removed: readonly string[] } {
  const unread: SourceEntry[] = [];
  let known = 0;
  for (const entry of entries) {
    const before = table.get(entry.key);
    if (before !== undefined) known++;
    if (
      before === undefined ||
      before.fingerprint !== entry.fingerprint ||
      entry.fingerprint === ""
    )
      unread.push(entry);
  }
  if (known === table.size) return { unread, removed: [] };
  const existing = new Set(entries.map(({ key }) => key));
  return { unread, removed: [...table.keys()].filter((key) => !existing.has(key)) };
}

/** A message if it failed. */
async function readEntry(
  { source, table }: RefreshInput,
  entry: SourceEntry,
): Promise<ReadEntry | string | undefined> {
  const before = table.known().get(entry.key);
  const read = await resultOrMessage(() => source.read(entry, before));
  return typeof read === "string" ? `Could not read ${entry.key}: ${read}.` : read;
}

/** Texts of up to this many characters are collected and added to the index together. */
const MAX_BATCH_CHARACTERS = 2_000_000;

interface Batch {
  readonly take: (entry: SourceEntry, read: ReadEntry) => void;
  readonly drop: (key: string) => void;
  readonly isLarge: () => boolean;
  readonly flush: () => void;
  readonly changed: () => number;
  readonly forgotten: () => number;
}

function charactersOf(documents: readonly SearchDocument[]): number {
  return documents.reduce((sum, { body = "", facts = "" }) => sum + body.length + facts.length, 0);
}

/** Collects changes and applies them at once, so that a search sees each entry either before or after its change. */
function createBatch({ source, index, notes, ...input }: RefreshInput): Batch {
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
      const next = entryAfter(entry, read, { before, pack: notes.pack });
      notes.set(`${source.name}:${entry.key}`, next.notes);
      if (read.change === "replace" && isFilled(before)) {
        prefixes.push(idPrefix(source, entry.key));
        forgotten++;
      }
      documents.push(...read.documents);
      characters += charactersOf(read.documents);
      if (next.fingerprint !== before?.fingerprint) changed += Math.max(1, read.documents.length);
      entries.set(entry.key, next);
    },
    drop: (key) => {
      const before = table.get(key);
      if (before === undefined) return;
      if (isFilled(before)) prefixes.push(idPrefix(source, key));
      changed += Math.max(1, before.documents);
      notes.remove(`${source.name}:${key}`);
      forgotten++;
      entries.set(key, undefined);
    },
    isLarge: () => characters > MAX_BATCH_CHARACTERS,
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

const NO_ENTRY = { documents: 0, standalone: 0, turns: 0, notes: "" };

/** The table entry after a read. */
function entryAfter(
  { fingerprint }: SourceEntry,
  { change, documents, cursor, problem = "" }: ReadEntry,
  { before, pack }: { readonly before: KnownEntry | undefined } & Pick<NoteKeeper, "pack">,
): KnownEntry {
  const kept = change === "add" && before !== undefined ? before : NO_ENTRY;
  const count = kept.documents + documents.length;
  const turns = documents.filter(({ kind }) => kind === "turn").length;
  const standalone = documents.filter(({ kind = "topic" }) => !isSessionKind(kind)).length;
  return {
    // The reason for the problem may be outside the entry, so it is read again.
    fingerprint: problem !== "" && count === 0 ? "" : fingerprint,
    cursor,
    problem,
    documents: count,
    standalone: kept.standalone + standalone,
    turns: kept.turns + turns,
    notes: pack(documents, kept.notes),
  };
}

function isFilled(entry: KnownEntry | undefined): boolean {
  return entry !== undefined && entry.documents > 0;
}

/** The start of all document ids of an entry. */
function idPrefix({ name }: SearchSource, key: string): string {
  return `${name}:${key}#`;
}

/** The result of an action, or the message of its error. An error without a code is a bug and is thrown. */
async function resultOrMessage<T>(action: () => Promise<T>): Promise<T | string> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return error.message;
  }
}
