import type { IndexedNote } from "./note-index.ts";

const MAX_DEPTH = 16;

/** The names of topics that another topic replaces, with the topic that replaces them. */
export function supersededTopics(
  superseding: readonly IndexedNote[],
): ReadonlyMap<string, IndexedNote> {
  const byEntry = new Map(superseding.map((note) => [note.entry, note]));
  const found = new Map<string, IndexedNote>();
  for (const note of superseding) {
    for (const entry of replacedEntries(note)) {
      const other = byEntry.get(entry);
      if (entry === note.entry) continue;
      // In a circle, the newer one of two neighbors counts.
      const isCircle = other !== undefined && reaches(other, note.entry, byEntry);
      if (isCircle && !isNewer(note, other)) continue;
      const before = found.get(entry);
      if (before === undefined || isNewer(note, before)) found.set(entry, note);
    }
  }
  return found;
}

/** Topics replace topics of their own source. */
function replacedEntries({ entry, supersedes = [] }: IndexedNote): readonly string[] {
  const source = entry.slice(0, entry.indexOf(":"));
  return supersedes.map((slug) => `${source}:${slug}`);
}

function reaches(
  from: IndexedNote,
  entry: string,
  byEntry: ReadonlyMap<string, IndexedNote>,
): boolean {
  const seen = new Set<string>();
  let next = [from.entry];
  for (let depth = 0; depth < MAX_DEPTH && next.length > 0; depth++) {
    const replaced = next.flatMap((name) => {
      const note = byEntry.get(name);
      return note === undefined ? [] : replacedEntries(note);
    });
    if (replaced.includes(entry)) return true;
    next = replaced.filter((name) => !seen.has(name));
    for (const name of next) seen.add(name);
  }
  return false;
}

function isNewer(one: IndexedNote, other: IndexedNote): boolean {
  const [time, otherTime] = [one.atMs ?? 0, other.atMs ?? 0];
  return time === otherTime ? one.entry > other.entry : time > otherTime;
}
