import type { Change } from "../../history/change.ts";
import type {
  BackendEntry,
  CommitRequest,
  CommitResult,
  ListedEntry,
  TopicBackend,
} from "../../store/topic-backend.ts";
import { parseTopicSlug } from "../../topics/slug.ts";
import { expectEqual } from "../expect-equal.ts";

/** A new, empty backend. */
export interface OpenedBackend {
  readonly backend: TopicBackend;
  /** Opens a second one on the same data, as another process would. Without it, races run on the first one. */
  readonly reopen?: (() => Promise<TopicBackend>) | undefined;
}

/** Creates an empty backend for one case. */
export type CreateBackend = () => Promise<OpenedBackend>;

/** Contract cases by name. */
export type BackendCases = Readonly<Record<string, (create: CreateBackend) => Promise<void>>>;

/** A record of a change of one topic. */
export function recordOf(id: string, fields: Partial<Change> = {}): Change {
  return {
    id,
    at: "2026-11-18T08:00:00.000Z",
    who: "agent",
    action: "write",
    files: [{ slug: parseTopicSlug("deploy"), before: null, after: `text of ${id}` }],
    ...fields,
  };
}

/** Commits and expects success; returns the new versions. */
export async function committed(
  backend: TopicBackend,
  request: CommitRequest,
): Promise<ReadonlyMap<string, string>> {
  const result = await backend.commit(request);
  if (result.kind === "committed") return result.versions;
  throw new Error(
    `a commit with the current versions was refused: conflict over ${result.names.join(", ")}`,
  );
}

/** Creates entries in one commit; returns their versions. */
export async function create(
  backend: TopicBackend,
  texts: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const changes = Object.entries(texts).map(([name, text]) => ({ name, expected: null, text }));
  return await committed(backend, { changes });
}

/** A result in one comparable value: `committed`, or the sorted names of a conflict. */
export function outcome(result: CommitResult): string | readonly string[] {
  return result.kind === "committed" ? "committed" : result.names.toSorted();
}

/** The entries with these names, each of which must be readable. */
export async function readMany(
  backend: TopicBackend,
  names: readonly string[],
): Promise<readonly BackendEntry[]> {
  const entries = await backend.read(names);
  expectEqual(
    entries.filter(({ name }) => !names.includes(name)).map(({ name }) => name),
    [],
    "read returned an entry that was not asked for",
  );
  return entries.map((entry) => {
    if ("text" in entry) return entry;
    throw new Error("an entry that was committed cannot be read");
  });
}

/** One entry, or `undefined`. */
export async function readOne(
  backend: TopicBackend,
  name: string,
): Promise<BackendEntry | undefined> {
  const [entry] = await readMany(backend, [name]);
  return entry;
}

/** The texts by name, in the order of the list. */
export async function readAll(backend: TopicBackend): Promise<Readonly<Record<string, string>>> {
  const names = (await listAll(backend)).map(({ name }) => name);
  const entries = new Map(
    (await readMany(backend, names)).map((entry) => [entry.name, entry.text]),
  );
  return Object.fromEntries(names.map((name) => [name, entries.get(name) ?? "(missing in read)"]));
}

/** All entries of all pages. */
export async function listAll(backend: TopicBackend, limit = 100): Promise<readonly ListedEntry[]> {
  const all: ListedEntry[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await backend.list({ after: all.at(-1)?.name, limit });
    all.push(...page.entries);
    if (page.entries.length > limit) throw new Error("a page is longer than its limit");
    if (!page.hasMore) return all;
    if (page.entries.length === 0) throw new Error("an empty page says that there are more");
  }
  throw new Error("the pages of the list never end");
}

/** All recorded changes of all pages, newest first. */
export async function allHistory(backend: TopicBackend, limit = 100): Promise<readonly Change[]> {
  const all: Change[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await backend.history({ cursor, limit });
    all.push(...page.changes);
    if (page.next === undefined) return all;
    cursor = page.next;
  }
  throw new Error("the pages of the history never end");
}

/** The ids of all recorded changes, newest first. */
export async function historyIds(backend: TopicBackend): Promise<readonly string[]> {
  return (await allHistory(backend)).map(({ id }) => id);
}

const MAX_PAGES = 1000;
