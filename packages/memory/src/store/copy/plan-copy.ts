import { changeKey } from "../../history/archived-change.ts";
import type { Change, FileChange } from "../../history/change.ts";
import { newIndex } from "../../index-file/edit-index.ts";
import { indexAfter } from "../../index-file/index-after.ts";
import { mergeIndex } from "../../index-file/merge-index.ts";
import { normalizeText } from "../../markdown/normalize.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import { parseTopicSlug, slugKey } from "../../topics/slug.ts";
import type { BackendEntry, EntryChange, UnreadableEntry } from "../topic-backend.ts";

/** Everything that a backend has. */
export interface MemorySnapshot {
  readonly entries: ReadonlyMap<string, BackendEntry>;
  readonly unreadable: readonly UnreadableEntry[];
  /** Oldest first. */
  readonly changes: readonly Change[];
}

/** A topic that is not copied, because that could lose a text of the target. */
export interface KeptTopic {
  readonly name: string;
  /** `newer`: it was changed in the target since. `different`: no history leads from one text to the other. */
  readonly reason: "newer" | "different" | "unreadable";
}

/** What to write, so that the target has what the source has. */
export interface CopyPlan {
  /** Topics and the index. */
  readonly changes: readonly RestoredEntry[];
  /** Records that the target lacks, oldest first. */
  readonly records: readonly Change[];
  /** Records whose texts were erased in the source since. */
  readonly rewritten: readonly Change[];
  readonly kept: readonly KeptTopic[];
  /** How many topics are the same already. */
  readonly sameCount: number;
  /** How many records are left out, because they are about topics that are kept. */
  readonly leftOutCount: number;
}

/** A change of an entry that knows the text which it replaces. */
export interface RestoredEntry extends EntryChange {
  readonly before: string | null;
}

/** Plans a copy. Only a text that the source has replaced itself is replaced in the target. */
export function planCopy(source: MemorySnapshot, target: MemorySnapshot): CopyPlan {
  const ahead = { source: missingIn(target, source), target: missingIn(source, target) };
  const names = new Set(
    [source, target].flatMap(({ entries, changes }) => [
      ...[...entries.keys()].filter((name) => name !== INDEX_FILE),
      ...changes.flatMap(({ files }) => files.map(({ slug }) => slug)),
    ]),
  );
  const verdicts = [...names]
    .toSorted()
    .map((name) => ({ name, ...judge(name, { source, target, ahead }) }));
  const changes = verdicts
    .filter(({ kind }) => kind === "write")
    .map(({ name }) => toChange(name, source, target));
  const kept = verdicts.flatMap(({ name, reason }) =>
    reason === undefined ? [] : [{ name, reason }],
  );
  const isKept = new Set(kept.map(({ name }) => name));
  const records = ahead.source.filter(({ files }) => !files.some(({ slug }) => isKept.has(slug)));
  return {
    changes: [...changes, ...indexChange(changes, source, target)],
    records,
    rewritten: erasedSince(source, target),
    kept,
    sameCount: verdicts.filter(({ name, kind }) => kind === "same" && source.entries.has(name))
      .length,
    leftOutCount: ahead.source.length - records.length,
  };
}

function missingIn(
  { changes: known }: MemorySnapshot,
  { changes }: MemorySnapshot,
): readonly Change[] {
  const keys = new Set(known.map(changeKey));
  return changes.filter((change) => !keys.has(changeKey(change)));
}

interface Judged {
  readonly kind: "same" | "write" | "keep";
  readonly reason?: KeptTopic["reason"];
}

interface Sides {
  readonly source: MemorySnapshot;
  readonly target: MemorySnapshot;
  /** The records that the other side lacks. */
  readonly ahead: { readonly source: readonly Change[]; readonly target: readonly Change[] };
}

function judge(name: string, { source, target, ahead }: Sides): Judged {
  if (target.unreadable.some((entry) => entry.name === name))
    return source.entries.has(name) ? { kind: "keep", reason: "unreadable" } : { kind: "same" };
  const [from, to] = [source, target].map(({ entries }) => entries.get(name)?.text ?? null);
  if (from === to || from === undefined || to === undefined) return { kind: "same" };
  const sourceLeads = replaces(ahead.source, name, to);
  const targetLeads = replaces(ahead.target, name, from);
  if (sourceLeads && !targetLeads) return { kind: "write" };
  if (targetLeads && !sourceLeads) return keepUnlessAbsent(from, "newer");
  const [sourceFiles, targetFiles] = [source, target].map((side) => filesOf(side.changes, name));
  const isNewThere = to === null && targetFiles?.length === 0 && !hasOtherSpelling(target, name);
  if (isNewThere) return { kind: "write" };
  // The source was edited by hand since its last record, and the target has that record's text.
  const isEditedByHand =
    filesOf(ahead.target, name).length === 0 && sourceFiles?.at(-1)?.after === to;
  if (isEditedByHand && from !== null) return { kind: "write" };
  return keepUnlessAbsent(from, "different");
}

/** A topic that only the target has is none of the source's business. */
function keepUnlessAbsent(from: string | null, reason: KeptTopic["reason"]): Judged {
  return from === null ? { kind: "same" } : { kind: "keep", reason };
}

function replaces(changes: readonly Change[], name: string, text: string | null): boolean {
  return filesOf(changes, name).some(({ before, after }) => before === text && after !== before);
}

function filesOf(changes: readonly Change[], name: string): readonly FileChange[] {
  return changes.flatMap(({ files }) => files.filter(({ slug }) => slug === name));
}

/** Some file systems take both names for the same file. */
function hasOtherSpelling({ entries }: MemorySnapshot, name: string): boolean {
  return [...entries.keys()].some((other) => other !== name && slugKey(other) === slugKey(name));
}

function toChange(name: string, source: MemorySnapshot, target: MemorySnapshot): RestoredEntry {
  const current = target.entries.get(name);
  return {
    name,
    expected: current?.version ?? null,
    before: current?.text ?? null,
    text: source.entries.get(name)?.text ?? null,
  };
}

/** A new index is the same byte for byte. An existing one gets what it lacks, and keeps what users wrote into it. */
function indexChange(
  changes: readonly RestoredEntry[],
  source: MemorySnapshot,
  target: MemorySnapshot,
): readonly RestoredEntry[] {
  const [from, to] = [source, target].map(({ entries }) => entries.get(INDEX_FILE)?.text);
  const change = toChange(INDEX_FILE, source, target);
  if (from === to || (to === undefined && from !== undefined)) return from === to ? [] : [change];
  const files = changes.map(({ name, before, text }) => ({
    slug: parseTopicSlug(name),
    before,
    after: text,
  }));
  const normal = to === undefined ? newIndex() : normalizeText(to);
  const removed = new Set(changes.filter(({ text }) => text === null).map(({ name }) => name));
  const exists = (slug: string): boolean =>
    !removed.has(slug) && (source.entries.has(slug) || target.entries.has(slug));
  const merged = from === undefined ? normal : mergeIndex(normal, from, exists);
  const text = indexAfter(merged, files);
  return text === normal ? [] : [{ ...change, text }];
}

function erasedSince(source: MemorySnapshot, target: MemorySnapshot): readonly Change[] {
  const erased = new Map(
    source.changes
      .filter(({ isErased }) => isErased === true)
      .map((change) => [changeKey(change), change]),
  );
  return target.changes
    .filter(({ isErased }) => isErased !== true)
    .flatMap((change) => erased.get(changeKey(change)) ?? []);
}
