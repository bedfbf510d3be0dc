import { MemoryError } from "../../errors.ts";
import { newIndex } from "../../index-file/edit-index.ts";
import { parseIndexLines } from "../../index-file/index-lines.ts";
import { normalizeText } from "../../markdown/normalize.ts";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "../../topics/limits.ts";
import { hasWholeHeader, parseTopicHeader } from "../../topics/parse-topic.ts";
import { parseTopicSlug, slugFromFileName, type TopicSlug } from "../../topics/slug.ts";
import { toTopicSlug } from "../import-names.ts";
import { findSameTopic } from "../plan-write.ts";
import { sortNewestFirst, toStoredTopic } from "../stored-topic.ts";
import { topicUpdatedMs } from "../updated-ms.ts";
import type { BackendEntry, ListedEntry, TopicBackend, UnreadableEntry } from "../topic-backend.ts";
import type { StoredTopic, TopicList, TopicSummary, UnreadableTopic } from "../topic-store.ts";
import type { Engine } from "./engine.ts";

/** How many entries are asked for at once. */
const PAGE_SIZE = 2_000;

/** The index as the backend has it. */
export interface IndexState {
  readonly version: string | null;
  /** The exact text; `null` if there is none. */
  readonly raw: string | null;
  /** The same with LF line ends, and with a line for every topic. */
  readonly text: string;
}

/** The entries with these names, in as few requests as possible. */
export async function readEntries(
  backend: TopicBackend,
  names: readonly string[],
): Promise<ReadonlyMap<string, BackendEntry | UnreadableEntry>> {
  const found = new Map<string, BackendEntry | UnreadableEntry>();
  for (let start = 0; start < names.length; start += PAGE_SIZE) {
    const entries = await backend.read(names.slice(start, start + PAGE_SIZE));
    for (const entry of entries) found.set(entry.name, entry);
  }
  return found;
}

export async function readIndex(engine: Engine): Promise<IndexState> {
  const entries = await readEntries(engine.backend, [INDEX_FILE]);
  return await toIndexState(engine, entries.get(INDEX_FILE));
}

/** A topic as the index knows it, and the index. */
export interface FoundTopic {
  readonly current: StoredTopic | undefined;
  readonly index: IndexState;
}

/** The topic that a name refers to, also in another case. */
export async function findTopic(engine: Engine, slug: TopicSlug): Promise<FoundTopic> {
  const entries = await readEntries(engine.backend, [slug, INDEX_FILE]);
  const index = await toIndexState(engine, entries.get(INDEX_FILE));
  const exact = toTopic(slug, entries.get(slug));
  if (exact !== undefined) return { current: exact, index };
  const same = findSameTopic(
    slug,
    parseIndexLines(index.text).map((line) => line.slug),
  );
  if (same === undefined) return { current: undefined, index };
  return { current: toTopic(same, (await readEntries(engine.backend, [same])).get(same)), index };
}

/** The same for a reader, who rarely needs the index. */
export async function readTopic(engine: Engine, slug: TopicSlug): Promise<StoredTopic | undefined> {
  const exact = toTopic(slug, (await readEntries(engine.backend, [slug])).get(slug));
  return exact ?? (await findTopic(engine, slug)).current;
}

/** Every topic with its text. Unreadable ones are left out. */
export async function readAllTopics(engine: Engine): Promise<readonly StoredTopic[]> {
  const { topics } = await engine.listTopics();
  const found = await readMany(
    engine,
    topics.map(({ slug }) => slug),
  );
  return [...found.values()];
}

/** The topics with exactly these names. Unreadable ones are left out. */
export async function readMany(
  { backend }: Engine,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredTopic>> {
  const slugs = names.map(parseTopicSlug);
  const entries = await readEntries(backend, slugs);
  return new Map(
    slugs.flatMap((slug) => {
      const entry = entries.get(slug);
      if (entry === undefined || "problem" in entry) return [];
      return [[slug, toStoredTopic({ ...entry, slug })] as const];
    }),
  );
}

/**
 * The topic of an entry.
 * @throws MemoryError `REFUSED_FILE`
 */
export function toTopic(
  slug: TopicSlug,
  entry: BackendEntry | UnreadableEntry | undefined,
): StoredTopic | undefined {
  if (entry === undefined) return undefined;
  if ("problem" in entry) throw new MemoryError("REFUSED_FILE", entry.problem);
  return toStoredTopic({ ...entry, slug });
}

function tooLarge(name: string, bytes: number): string {
  return `cannot use ${JSON.stringify(name)}: it has ${bytes} bytes; the limit is ${MAX_TOPIC_BYTES}`;
}

/** @throws MemoryError `REFUSED_FILE` */
async function toIndexState(
  engine: Engine,
  entry: BackendEntry | UnreadableEntry | undefined,
): Promise<IndexState> {
  if (entry !== undefined && "problem" in entry)
    throw new MemoryError("REFUSED_FILE", entry.problem);
  const { text: raw = null, version = null } = entry ?? {};
  const text = normalIndex(raw);
  // Before the first write, or after someone deleted the index, topics may have no line.
  const isKnown = engine.isIndexRepaired && raw !== null && raw.trim() !== "";
  return { version, raw, text: isKnown ? text : await engine.repairIndex(text) };
}

/** The index with LF line ends, or a new one. */
export function normalIndex(raw: string | null): string {
  return raw === null || raw.trim() === "" ? newIndex() : normalizeText(raw);
}

/** Lists the topics of any backend. A header is parsed again only when its version has changed. */
export function createTopicList(backend: TopicBackend): () => Promise<TopicList> {
  let known: ReadonlyMap<string, Listed> = new Map();
  return async () => {
    const entries = await listEntries(backend);
    const changed = entries.filter(({ name, version }) => known.get(name)?.version !== version);
    const cut = changed.filter(({ head, bytes }) => !hasWholeHeader(head) && bytes > head.length);
    const whole = await readEntries(
      backend,
      cut.map(({ name }) => name),
    );
    const texts = new Map(
      [...whole.values()].flatMap((entry) => ("text" in entry ? [[entry.name, entry.text]] : [])),
    );
    const isChanged = new Set(changed);
    known = new Map(
      entries.map((entry) => {
        const before = known.get(entry.name);
        const listed =
          before === undefined || isChanged.has(entry)
            ? toListed(entry, texts.get(entry.name) ?? entry.head)
            : before;
        return [entry.name, listed];
      }),
    );
    const all = [...known.values()];
    return {
      topics: sortNewestFirst(all.flatMap(({ topic }) => topic ?? [])),
      problems: all.flatMap(({ problem }) => problem ?? []),
    };
  };
}

/** A topic or a problem; neither for the index. */
interface Listed {
  readonly version: string;
  readonly topic?: TopicSummary | undefined;
  readonly problem?: UnreadableTopic | undefined;
}

async function listEntries(backend: TopicBackend): Promise<readonly ListedEntry[]> {
  const all: ListedEntry[] = [];
  for (;;) {
    const { entries, hasMore } = await backend.list({ after: all.at(-1)?.name, limit: PAGE_SIZE });
    all.push(...entries);
    if (!hasMore) return all;
  }
}

function toListed({ name, version, bytes, modifiedMs }: ListedEntry, head: string): Listed {
  if (name === INDEX_FILE) return { version };
  const slug = slugFromFileName(`${name}.md`);
  if (slug === undefined || bytes > MAX_TOPIC_BYTES) {
    const message =
      slug === undefined
        ? `${JSON.stringify(name)} is not the name of a topic; rename it in the database`
        : tooLarge(name, bytes);
    return { version, problem: { code: "UNREADABLE", slug: slug ?? toTopicSlug(name), message } };
  }
  const header = parseTopicHeader(head);
  const { description, type, problems } = header;
  const updatedMs = topicUpdatedMs(header, modifiedMs);
  return { version, topic: { slug, description, type, problems, bytes, updatedMs, hash: version } };
}
