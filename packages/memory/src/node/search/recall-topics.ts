import { MemoryError } from "../../errors.ts";
import { normalizeText } from "../../markdown/normalize.ts";
import { foldText } from "../../search/analyzer/fold-text.ts";
import { searchTerms, termPrefixes } from "../../search/analyzer/query-terms.ts";

import type { SearchIndex } from "../../search/search-index.ts";
import { MAX_RECALLED_TOPICS, type RecalledTopic } from "../../search/recall/recall-note.ts";
import {
  type MatchedTopic,
  type StrongMatch,
  strongMatches,
} from "../../search/recall/strong-matches.ts";
import { slugOfId } from "../../search/topic-document.ts";
import { parseIndexLines } from "../../index-file/index-lines.ts";
import { oneLine } from "../../topics/one-line.ts";
import { scanHeader } from "../../topics/scan-header.ts";
import { slugFromFileName } from "../../topics/slug.ts";
import { listFileNames, readIndexFile, readTopicFile, topicSlugs } from "../topics/files/topic-files.ts";

export interface RecallTopicsInput {
  /** Where the topics are. */
  readonly directory: string;
  /** An index that is at hand; without one, topics are known by their names and their lines in `MEMORY.md`. */
  readonly index?: Pick<SearchIndex, "search"> | undefined;
  readonly message: string;
  /** Whether a topic is not to be named again. */
  readonly isKnown: (slug: string) => boolean;
}

/** Of an index that holds other things as well. */
const MOST_HITS = 16;
/** As many as can be held against a message within milliseconds. */
const MOST_NAMES = 1_000;
const MOST_CHARACTERS = 100_000;

/** The topics that a message speaks of, at most three, as they are on the disk now. It never waits for an index. */
export async function recallTopics(input: RecallTopicsInput): Promise<readonly RecalledTopic[]> {
  const { directory, index, message, isKnown } = input;
  const search = index === undefined ? await searchLines(directory) : searchIndex(index);
  const found = strongMatches(message, search);
  const fresh = found.filter(({ slug }) => !isKnown(slug)).slice(0, MAX_RECALLED_TOPICS);
  const topics = await Promise.all(fresh.map((match) => readHeader(directory, match)));
  return topics.filter((topic) => topic !== undefined);
}

type SearchTopics = (query: string) => readonly MatchedTopic[];

function searchIndex(index: Pick<SearchIndex, "search">): SearchTopics {
  return (query) =>
    index.search(query, { kind: "topics", limit: MOST_HITS }).topics.flatMap(({ id, coverage }) => {
      const slug = slugOfId(id);
      return slug === undefined ? [] : [{ slug, coverage }];
    });
}

/** Finds topics by what they are called and what the list of them says; none where there are too many to look at. */
async function searchLines(directory: string): Promise<SearchTopics> {
  const lines = (await unlessRefused(() => linesOf(directory))) ?? [];
  const known = new Map<string, ReadonlySet<string>>();
  const termsOf = ({ slug, text }: TopicLine): ReadonlySet<string> => {
    const terms = known.get(slug) ?? new Set(searchTerms(text));
    known.set(slug, terms);
    return terms;
  };
  return (query) => {
    const wanted = searchTerms(query);
    return likeliest(lines, wanted).flatMap((line) => {
      const terms = termsOf(line);
      const held = wanted.filter((term) => terms.has(term)).length;
      return held === 0 ? [] : [{ slug: line.slug, coverage: held / wanted.length }];
    });
  };
}

/** To take a text apart takes far longer than to look for a few letters in it. What is in more texts means none of them. */
const MOST_TAKEN_APART = 32;
const MOST_BEGINNINGS = 24;

/** The lines that may hold the most of the terms, by how these begin. */
function likeliest(lines: readonly TopicLine[], terms: readonly string[]): readonly TopicLine[] {
  const beginnings = termPrefixes(terms).slice(0, MOST_BEGINNINGS);
  const likely = lines.flatMap((line) => {
    const held = beginnings.filter((beginning) => line.folded.includes(beginning)).length;
    return held === 0 ? [] : [{ line, held }];
  });
  if (likely.length > MOST_TAKEN_APART) likely.sort((one, other) => other.held - one.held);
  return likely.slice(0, MOST_TAKEN_APART).map(({ line }) => line);
}

interface TopicLine {
  readonly slug: string;
  readonly text: string;
  /** In lower case. */
  readonly folded: string;
}

/** A line that we write is shorter. */
const LONGEST_LINE = 400;

async function linesOf(directory: string): Promise<readonly TopicLine[]> {
  const names = listFileNames(directory);
  const slugs = names.length > MOST_NAMES ? [] : topicSlugs(names);
  if (slugs.length === 0) return [];
  const { text } = await readIndexFile(directory);
  const lines = text.length > MOST_CHARACTERS ? [] : parseIndexLines(text);
  const said = new Map(
    lines.map(({ slug, start, end }) => [
      slug,
      text.slice(start, Math.min(end, start + LONGEST_LINE)).replace("—", " "),
    ]),
  );
  return slugs.map((slug) => {
    const line = `${slug} ${said.get(slug) ?? ""}`;
    return { slug, text: line, folded: foldText(line).toLowerCase() };
  });
}

/** An index may be behind: what is gone, refused or about something else by now is not named. */
async function readHeader(
  directory: string,
  { slug: name, matchesDescription: holdsWith }: StrongMatch,
): Promise<RecalledTopic | undefined> {
  const slug = slugFromFileName(`${name}.md`);
  const file = slug && (await unlessRefused(() => readTopicFile(directory, slug)));
  if (slug === undefined || file === undefined) return undefined;
  const description = await descriptionOf(file.text);
  return holdsWith(description) ? { slug, description } : undefined;
}

/** The headers that we write need no YAML parser, which takes longer to load than a message may wait. */
async function descriptionOf(text: string): Promise<string> {
  const described = scanHeader(normalizeText(text))?.["description"];
  if (typeof described === "string") return oneLine(described);
  const { descriptionFromYaml: describedByYaml } = await import("./described-by-yaml.ts");
  return describedByYaml(text);
}

async function unlessRefused<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return undefined;
  }
}
