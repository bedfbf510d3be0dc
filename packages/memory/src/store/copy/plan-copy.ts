import { changeKey } from "../../history/archived-change.ts";
import type { Change, FileChange } from "../../history/change.ts";
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
  const sides = {
    source,
    target,
    ahead: { source: missingIn(target, source), target: missingIn(source, target) },
  };
  const names = [...new Set([...namesIn(source), ...namesIn(target)])].toSorted();
  const verdicts = new Map(names.map((name) => [name, judge(name, sides)]));
  const withVerdict = (wanted: Verdict): readonly string[] =>
    names.filter((name) => verdicts.get(name) === wanted);
  const changes = withVerdict("write").map((name) => toChange(name, source, target));
  const kept = names.flatMap((name): readonly KeptTopic[] => {
    const reason = verdicts.get(name) ?? "same";
    return reason === "same" || reason === "write" ? [] : [{ name, reason }];
  });
  const isKept = new Set(kept.map(({ name }) => name));
  const { source: missing } = sides.ahead;
  const records = missing.filter(({ files }) => !files.some(({ slug }) => isKept.has(slug)));
  return {
    changes: [...changes, ...indexChange(changes, source, target)],
    records,
    rewritten: erasedSince(source, target),
    kept,
    sameCount: withVerdict("same").filter((name) => source.entries.has(name)).length,
    leftOutCount: missing.length - records.length,
  };
}

function namesIn({ entries, changes }: MemorySnapshot): readonly string[] {
  const recorded = changes.flatMap(({ files }) => files.map(({ slug }) => slug));
  return [...[...entries.keys()].filter((name) => name !== INDEX_FILE), ...recorded];
}

function missingIn(
  { changes: known }: MemorySnapshot,
  { changes }: MemorySnapshot,
): readonly Change[] {
  const keys = new Set(known.map(changeKey));
  return changes.filter((change) => !keys.has(changeKey(change)));
}

/** What happens to a topic: nothing, a write or a removal, or why it is kept. */
type Verdict = "same" | "write" | KeptTopic["reason"];

interface Sides {
  readonly source: MemorySnapshot;
  readonly target: MemorySnapshot;
  /** The records that the other side lacks. */
  readonly ahead: { readonly source: readonly Change[]; readonly target: readonly Change[] };
}

function judge(name: string, sides: Sides): Verdict {
  const { source, target } = sides;
  const from = source.entries.get(name)?.text ?? null;
  const isUnreadable = target.unreadable.some((entry) => entry.name === name);
  if (isUnreadable && from !== null) return "unreadable";
  const to = target.entries.get(name)?.text ?? null;
  if (from === to || isUnreadable) return "same";
  const verdict = compare(name, { from, to }, sides);
  // A topic that only the target has is none of the source's business.
  return from === null && verdict !== "write" ? "same" : verdict;
}

interface Texts {
  readonly from: string | null;
  readonly to: string | null;
}

function compare(name: string, { from, to }: Texts, sides: Sides): Verdict {
  const { source, target, ahead } = sides;
  const sourceLeads = replaces(ahead.source, name, to);
  const targetLeads = replaces(ahead.target, name, from);
  if (sourceLeads !== targetLeads) return sourceLeads ? "write" : "newer";
  const isNewThere = to === null && filesOf(target.changes, name).length === 0;
  if (isNewThere) return hasOtherSpelling(target, name) ? "different" : "write";
  // The source was edited by hand since its last record, and the target has that record's text.
  const isEditedByHand =
    from !== null &&
    filesOf(ahead.target, name).length === 0 &&
    filesOf(source.changes, name).at(-1)?.after === to;
  return isEditedByHand ? "write" : "different";
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
  const from = source.entries.get(INDEX_FILE)?.text;
  const to = target.entries.get(INDEX_FILE)?.text;
  if (from === to) return [];
  const change = toChange(INDEX_FILE, source, target);
  if (to === undefined) return [change];
  const files = changes.map(({ name, before, text }) => ({
    slug: parseTopicSlug(name),
    before,
    after: text,
  }));
  const normal = normalizeText(to);
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
