import { isMemoryError } from "../../errors.ts";
import { parseIndexLines } from "../../index-file/index-lines.ts";
import { normalizeText } from "../../markdown/normalize.ts";
import { foldText } from "../../search/analyzer/fold-text.ts";
import { searchTerms, termPrefixes } from "../../search/analyzer/query-terms.ts";
import { MAX_RECALLED_TOPICS, type RecalledTopic } from "../../search/recall/recall-note.ts";
import {
  type MatchedTopic,
  type StrongMatch,
  strongMatches,
} from "../../search/recall/strong-matches.ts";
import type { SearchIndex } from "../../search/engine/search-index.ts";
import { slugFromId } from "../../search/live-index/topic-document.ts";
import type { TopicStore } from "../../store/topic-store.ts";
import { oneLine } from "../../topics/one-line.ts";
import { scanHeader } from "../../topics/scan-header.ts";
import { slugFromFileName } from "../../topics/slug.ts";
import {
  listFileNames,
  readIndexFile,
  readTopicFile,
  topicSlugs,
} from "../topics/files/topic-files.ts";

export interface RecallTopicsInput {
  readonly topics: RecalledFrom;
  /** An index that is already loaded. Without one, topics are found by their names and their lines in `MEMORY.md`. */
  readonly index?: Pick<SearchIndex, "search"> | undefined;
  readonly message: string;
  /** Whether the session already knows a topic; such topics are left out. */
  readonly isKnown: (slug: string) => boolean;
}

/** Where topics are recalled from. */
export interface RecalledFrom {
  /** The names of all topics, and the index; none if there are more than `maxNames`. */
  readonly lines: (maxNames: number) => Promise<TopicNames>;
  /** The text of a topic; `undefined` if it cannot be used. */
  readonly read: (name: string) => Promise<string | undefined>;
}

interface TopicNames {
  readonly slugs: readonly string[];
  readonly index: string;
}

const NO_TOPICS: TopicNames = { slugs: [], index: "" };

/** The topics in the files of a directory. */
export function directoryTopics(directory: string): RecalledFrom {
  return {
    lines: async (maxNames) => {
      const names = listFileNames(directory);
      const slugs = names.length > maxNames ? [] : topicSlugs(names);
      return slugs.length === 0
        ? NO_TOPICS
        : { slugs, index: (await readIndexFile(directory)).text };
    },
    read: async (name) => {
      const slug = slugFromFileName(`${name}.md`);
      const file = slug && (await readTopicFile(directory, slug));
      return file !== undefined && typeof file === "object" && file.kind === "text"
        ? file.text
        : undefined;
    },
  };
}

/** The topics of any store. */
function storeTopics(store: Pick<TopicStore, "list" | "storedIndex" | "read">): RecalledFrom {
  return {
    lines: async (maxNames) => {
      const { topics } = await store.list();
      if (topics.length === 0 || topics.length > maxNames) return NO_TOPICS;
      return { slugs: topics.map(({ slug }) => slug), index: (await store.storedIndex()) ?? "" };
    },
    read: async (name) => (await store.read(name))?.text,
  };
}

/** The index contains other documents as well. */
const MAX_RESULTS = 16;
/** As many as can be matched against a message within milliseconds. */
const MAX_NAMES = 1_000;
const MAX_INDEX_CHARACTERS = 100_000;

/** The topics that a message is about, at most three, as they are on disk now. Never waits for an index. */
export async function recallTopics(input: RecallTopicsInput): Promise<readonly RecalledTopic[]> {
  const { topics: from, index, message, isKnown } = input;
  const search = index === undefined ? await searchLines(from) : searchIndex(index);
  const found = strongMatches(message, search);
  const unknown = found.filter(({ slug }) => !isKnown(slug)).slice(0, MAX_RECALLED_TOPICS);
  const topics = await Promise.all(unknown.map((match) => readHeader(from, match)));
  return topics.filter((topic) => topic !== undefined);
}

/** A message must not wait for a server. */
const STORE_TIMEOUT_MS = 250;

/** The same for a store that may be slow or unavailable: then there are none. */
export async function recallFromStore(
  store: Parameters<typeof storeTopics>[0],
  input: Omit<RecallTopicsInput, "topics">,
): Promise<readonly RecalledTopic[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly RecalledTopic[]>((resolve) => {
    timer = setTimeout(() => resolve([]), STORE_TIMEOUT_MS);
  });
  const recalled = recallTopics({ ...input, topics: storeTopics(store) }).catch(
    (error: unknown) => {
      if (!isMemoryError(error)) throw error;
      return [];
    },
  );
  try {
    return await Promise.race([recalled, late]);
  } finally {
    clearTimeout(timer);
  }
}

type SearchTopics = (query: string) => readonly MatchedTopic[];

function searchIndex(index: Pick<SearchIndex, "search">): SearchTopics {
  return (query) =>
    index
      .search(query, { kind: "topics", limit: MAX_RESULTS })
      .topics.flatMap(({ id, coverage }) => {
        const slug = slugFromId(id);
        return slug === undefined ? [] : [{ slug, coverage }];
      });
}

/** Finds topics by their names and index lines; none if there are too many. */
async function searchLines(from: RecalledFrom): Promise<SearchTopics> {
  const lines = await readLines(from);
  const known = new Map<string, ReadonlySet<string>>();
  const termsOf = ({ slug, text }: TopicLine): ReadonlySet<string> => {
    const terms = known.get(slug) ?? new Set(searchTerms(text));
    known.set(slug, terms);
    return terms;
  };
  return (query) => {
    const queryTerms = searchTerms(query);
    return candidateLines(lines, queryTerms).flatMap((line) => {
      const terms = termsOf(line);
      const matched = queryTerms.filter((term) => terms.has(term)).length;
      return matched === 0 ? [] : [{ slug: line.slug, coverage: matched / queryTerms.length }];
    });
  };
}

/** Analyzing a line takes far longer than searching it for a prefix. Words in more lines mean none of them. */
const MAX_ANALYZED_LINES = 32;
const MAX_PREFIXES = 24;

/** The lines that may contain most of the terms, judged by prefixes. */
function candidateLines(
  lines: readonly TopicLine[],
  terms: readonly string[],
): readonly TopicLine[] {
  const prefixes = termPrefixes(terms).slice(0, MAX_PREFIXES);
  const candidates = lines.flatMap((line) => {
    const matched = prefixes.filter((prefix) => line.folded.includes(prefix)).length;
    return matched === 0 ? [] : [{ line, matched }];
  });
  if (candidates.length > MAX_ANALYZED_LINES)
    candidates.sort((one, other) => other.matched - one.matched);
  return candidates.slice(0, MAX_ANALYZED_LINES).map(({ line }) => line);
}

interface TopicLine {
  readonly slug: string;
  readonly text: string;
  /** In lower case. */
  readonly folded: string;
}

/** Generated lines are shorter. */
const MAX_LINE_LENGTH = 400;

/** None if the topics or the index cannot be read. */
async function readLines(from: RecalledFrom): Promise<readonly TopicLine[]> {
  try {
    return parseLines(await from.lines(MAX_NAMES));
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return [];
  }
}

function parseLines({ slugs, index: text }: TopicNames): readonly TopicLine[] {
  const lines = text.length > MAX_INDEX_CHARACTERS ? [] : parseIndexLines(text);
  const descriptions = new Map<string, string>(
    lines.map(({ slug, start, end }) => [
      slug,
      text.slice(start, Math.min(end, start + MAX_LINE_LENGTH)).replace("—", " "),
    ]),
  );
  return slugs.map((slug) => {
    const line = `${slug} ${descriptions.get(slug) ?? ""}`;
    return { slug, text: line, folded: foldText(line).toLowerCase() };
  });
}

/** The index may be out of date: leaves out topics that are missing, unreadable, or about something else by now. */
async function readHeader(
  from: RecalledFrom,
  { slug, matchesDescription }: StrongMatch,
): Promise<RecalledTopic | undefined> {
  const text = await from.read(slug);
  if (text === undefined) return undefined;
  const description = await descriptionOf(text);
  return matchesDescription(description) ? { slug, description } : undefined;
}

/** Generated headers need no YAML parser, which takes longer to load than a message may wait. */
async function descriptionOf(text: string): Promise<string> {
  const plain = scanHeader(normalizeText(text))?.["description"];
  if (typeof plain === "string") return oneLine(plain);
  const { descriptionFromYaml } = await import("./described-by-yaml.ts");
  return descriptionFromYaml(text);
}
