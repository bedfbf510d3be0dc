import { checkArguments } from "../../check-arguments.ts";
import { MemoryError } from "../../errors.ts";
import { changeKey } from "../../history/archived-change.ts";
import type { Change } from "../../history/change.ts";
import type { Sha256Hex } from "../../project/slug.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import { BACKEND_METHODS, guardBackend } from "../guard-backend.ts";
import { sha256Hex as portableSha256Hex } from "../sha256.ts";
import type {
  BackendEntry,
  CommitResult,
  HistoryPage,
  TopicBackend,
  UnreadableEntry,
} from "../topic-backend.ts";
import {
  type CopyPlan,
  type KeptTopic,
  type MemorySnapshot,
  planCopy,
  type RestoredEntry,
} from "./plan-copy.ts";

/** A backend to copy to. */
export interface CopyTarget extends TopicBackend {
  /** Writes texts and records as they are. Without it, they are committed one after the other. */
  readonly restore?: ((request: RestoreRequest) => Promise<CommitResult>) | undefined;
}

export interface RestoreRequest extends Pick<CopyPlan, "records" | "rewritten"> {
  readonly changes: readonly RestoredEntry[];
}

export interface CopyMemoryInput {
  /** It is only read. */
  readonly from: TopicBackend;
  readonly to: CopyTarget;
  /** SHA-256 of a text as hexadecimal digits; a portable implementation if left out. */
  readonly sha256Hex?: Sha256Hex | undefined;
}

/** What a copy did. */
export interface CopiedMemory {
  /** The names of the topics that were written. */
  readonly copied: readonly string[];
  /** Those that the source has removed since they were copied. */
  readonly removed: readonly string[];
  /** Those that the target keeps, because copying them could lose a text. */
  readonly kept: readonly KeptTopic[];
  /** How many topics were the same already. */
  readonly unchanged: number;
  readonly history: {
    readonly copied: number;
    /** How many are about topics that are kept. */
    readonly leftOut: number;
  };
}

/**
 * Copies the memory of one backend to another one, with its history: ids, times and authors stay. Repeating it copies only
 * what is new. What was written is read again and compared by its hash.
 *
 * @throws MemoryError `STORE_BUSY` or `CHANGED_MEANWHILE` if others write to the target at the same time
 *
 * @example
 * import { createMapBackend } from "@caliban/memory";
 * import { copyMemory } from "@caliban/memory/exchange";
 *
 * const from = createMapBackend({ entries: { deploy: "Run the migrations first.\n" } });
 * const { copied } = await copyMemory({ from, to: createMapBackend() });
 * console.log(copied); // [ 'deploy' ]
 */
export async function copyMemory(input: CopyMemoryInput): Promise<CopiedMemory> {
  checkArguments("copyMemory", input, { from: "object", to: "object" });
  checkArguments("copyMemory: from", input.from, BACKEND_METHODS);
  checkArguments("copyMemory: to", input.to, BACKEND_METHODS);
  const { from, to, sha256Hex = portableSha256Hex } = input;
  const target = guardBackend(to);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const source = await takeSnapshot(guardBackend(from));
    const plan = planCopy(source, await takeSnapshot(target, [...source.entries.keys()]));
    const result = await restore(to, target, plan);
    if (result.kind === "conflict") continue;
    await verify(target, plan, sha256Hex);
    return toResult(plan);
  }
  throw new MemoryError("STORE_BUSY", "others write to the memory that is copied to; try again");
}

const MAX_ATTEMPTS = 5;
const PAGE_SIZE = 500;

/** Reads everything, and the entries with further names, which may exist and not be listed because they are unreadable. */
async function takeSnapshot(
  backend: TopicBackend,
  further: readonly string[] = [],
): Promise<MemorySnapshot> {
  // Before the texts: a text without its record is completed by the next copy, a record without its text would not be.
  const changes = await readHistory(backend);
  const names = new Set(further);
  for (let after: string | undefined; ;) {
    const { entries, hasMore } = await backend.list({ after, limit: PAGE_SIZE });
    for (const { name } of entries) names.add(name);
    after = entries.at(-1)?.name;
    if (!hasMore) break;
  }
  const read = await readAll(backend, [...names]);
  const entries = new Map(read.flatMap((entry) => ("text" in entry ? [[entry.name, entry]] : [])));
  const unreadable = read.filter((entry) => "problem" in entry);
  return { entries, unreadable, changes };
}

async function readAll(
  backend: TopicBackend,
  names: readonly string[],
): Promise<readonly (BackendEntry | UnreadableEntry)[]> {
  const all: (BackendEntry | UnreadableEntry)[] = [];
  for (let start = 0; start < names.length; start += PAGE_SIZE) {
    all.push(...(await backend.read(names.slice(start, start + PAGE_SIZE))));
  }
  return all;
}

/** Oldest first. */
async function readHistory(backend: TopicBackend): Promise<readonly Change[]> {
  const pages: (readonly Change[])[] = [];
  let cursor: string | undefined;
  do {
    const page: HistoryPage = await backend.history({ cursor, limit: PAGE_SIZE });
    pages.push(page.changes);
    cursor = page.next;
  } while (cursor !== undefined);
  return pages.flat().toReversed();
}

/** Texts come before records: a topic that exists without its record is completed by the next copy. */
async function restore(
  to: CopyTarget,
  guarded: TopicBackend,
  { changes, records, rewritten }: CopyPlan,
): Promise<CommitResult> {
  const committed: CommitResult = { kind: "committed", versions: new Map() };
  if (changes.length + records.length + rewritten.length === 0) return committed;
  if (to.restore !== undefined) return await to.restore({ changes, records, rewritten });
  for (let start = 0; start < changes.length; start += PAGE_SIZE) {
    const result = await guarded.commit({ changes: changes.slice(start, start + PAGE_SIZE) });
    if (result.kind === "conflict") return result;
  }
  if (rewritten.length > 0) await guarded.commit({ changes: [], rewritten });
  for (const record of records) await guarded.commit({ changes: [], record });
  return committed;
}

/** @throws MemoryError `CHANGED_MEANWHILE` */
async function verify(
  target: TopicBackend,
  { changes, records }: CopyPlan,
  sha256Hex: Sha256Hex,
): Promise<void> {
  const read = await readAll(
    target,
    changes.map(({ name }) => name),
  );
  const hashes = new Map(
    read.map((entry) => [entry.name, "text" in entry ? sha256Hex(entry.text) : undefined]),
  );
  const wrong = changes.filter(
    ({ name, text }) => hashes.get(name) !== (text === null ? undefined : sha256Hex(text)),
  );
  const known = new Set((records.length === 0 ? [] : await readHistory(target)).map(changeKey));
  const lost = records.filter((record) => !known.has(changeKey(record)));
  if (wrong.length + lost.length === 0) return;
  const what = [...wrong.map(({ name }) => name), ...lost.map(({ id }) => `change ${id}`)];
  const message = `the copy differs from the source: ${what.slice(0, 5).join(", ")}. Run it again`;
  throw new MemoryError("CHANGED_MEANWHILE", message);
}

function toResult({ changes, records, kept, sameCount, leftOutCount }: CopyPlan): CopiedMemory {
  const topics = changes.filter(({ name }) => name !== INDEX_FILE);
  const namesOf = (isRemoved: (text: string | null) => boolean): readonly string[] =>
    topics.filter(({ text }) => isRemoved(text)).map(({ name }) => name);
  return {
    copied: namesOf((text) => text !== null),
    removed: namesOf((text) => text === null),
    kept,
    unchanged: sameCount,
    history: { copied: records.length, leftOut: leftOutCount },
  };
}
