import { utf8Bytes } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import type { Change, FileChange } from "../../history/change.ts";
import { alternativeSlug } from "../../store/import-names.ts";
import { newIndex, putIndexLine } from "../../index-file/edit-index.ts";
import { parseIndexLines, unlistedSlugs } from "../../index-file/index-lines.ts";
import { mergeIndex, retargetLines } from "../../index-file/merge-index.ts";
import { slugFromFileName, type TopicSlug, slugKey } from "../../topics/slug.ts";
import { parseTopicHeader } from "../../topics/parse-topic.ts";
import { sha256Hex } from "../sha256-hex.ts";
import type { ImportFile, ImportedIndex, ImportedTopic } from "./import-topics.ts";
import { MAX_INDEX_FILE_BYTES, listFileNames, topicSlugs, readTopicFile } from "./files/topic-files.ts";

/** A file whose every part is proven. */
export interface CheckedFile extends ImportFile {
  readonly slug: TopicSlug;
}

export type RefusedFile = ImportedTopic & { readonly kind: "refused" };

/** What is to be taken over. */
export interface ImportRequest {
  readonly checked: readonly (CheckedFile | RefusedFile)[];
  readonly agent: string;
  readonly index: string | undefined;
  readonly changes: readonly Change[];
}

/** What is there. */
export interface ImportTarget {
  readonly directory: string | undefined;
  readonly index: { readonly before: string | null; readonly text: string };
}

/** What becomes of each file, and what is to be written. */
export interface ImportPlan {
  readonly topics: readonly ImportedTopic[];
  readonly files: readonly FileChange[];
  readonly indexText: string | undefined;
  readonly indexKind: ImportedIndex | undefined;
}

/** Finds each file a place, one after the other, and the index what it lacks. Changes nothing. */
export async function planImport(wish: ImportRequest, place: ImportTarget): Promise<ImportPlan> {
  const slugs = place.directory === undefined ? [] : topicSlugs(listFileNames(place.directory));
  const known = createTextsThere(place.directory, slugs);
  const earlier = textsTaken(wish.changes);
  const topics: ImportedTopic[] = [];
  const files: FileChange[] = [];
  let bytes = 0;
  for (const file of wish.checked) {
    const names = { known, earlier };
    // oxlint-disable-next-line no-await-in-loop -- a name that one takes the next cannot have
    const found = "kind" in file ? file : await placeOrRefusal(file, wish.agent, names);
    if ("kind" in file || found.kind !== "imported") {
      topics.push(found);
      continue;
    }
    // As the history has it, where a control character takes six bytes.
    const size = utf8Bytes(JSON.stringify(file.text));
    if (bytes + size > MOST_HISTORY_BYTES) {
      topics.push({ kind: "refused", name: file.name, message: TOO_MUCH });
      continue;
    }
    bytes += size;
    topics.push(found);
    known.take(found.slug, file.text);
    files.push({ slug: found.slug, before: null, after: file.text, ...originOf(file, wish.agent) });
  }
  const isEmpty = slugs.length === 0;
  return { topics, files, ...planIndex({ wish, place, topics, files, isEmpty }) };
}

/** What one change may take of the history, which must be readable with it and with its undoing. */
const MOST_HISTORY_BYTES = 16_000_000;
const TOO_MUCH = `an import takes at most ${MOST_HISTORY_BYTES} bytes at once; import again, and it is taken`;

/** A name that so many have, each with another text, is a mistake or an attack. */
const MOST_BESIDE = 100;

interface NamesHere {
  readonly known: TextsThere;
  readonly earlier: TextsTaken;
}

/** Where something that cannot be read has its name, a file is not taken; the others are. */
async function placeOrRefusal(
  file: CheckedFile,
  agent: string,
  names: NamesHere,
): Promise<ImportedTopic> {
  try {
    return await placeFor(file, agent, names);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
    return { kind: "refused", name: file.name, message: error.message };
  }
}

/** The first of its names that is free, or under which the very same text is. */
async function placeFor(
  { name, slug, text, path }: CheckedFile,
  agent: string,
  { known, earlier }: NamesHere,
): Promise<ImportedTopic> {
  for (let attempt = 0; attempt < MOST_BESIDE; attempt++) {
    const candidate = attempt === 0 ? slug : alternativeSlug(slug, agent, attempt);
    // oxlint-disable-next-line no-await-in-loop -- one name after the other
    const there = await known.find(candidate);
    if (there === text) return { kind: "exists", name, slug: candidate, isSame: true };
    if (there !== undefined && earlier({ slug: candidate, path, text })) {
      return { kind: "exists", name, slug: candidate, isSame: false };
    }
    if (there === undefined)
      return { kind: "imported", name, slug: candidate, isBeside: attempt > 0 };
  }
  const sentence = `${MOST_BESIDE} topics with other texts have its name already; rename it there`;
  return { kind: "refused", name, message: sentence };
}

function originOf({ path, text }: CheckedFile, agent: string): Pick<FileChange, "from"> {
  return path === undefined ? {} : { from: { agent, path, sha256: sha256Hex(text) } };
}

/** The index with what the other says, and with a line for every topic that is new, whoever wrote it. */
function planIndex({
  wish,
  place: { index },
  topics,
  files,
  isEmpty,
}: {
  readonly wish: ImportRequest;
  readonly place: ImportTarget;
  readonly topics: readonly ImportedTopic[];
  readonly files: readonly FileChange[];
  readonly isEmpty: boolean;
}): Pick<ImportPlan, "indexText" | "indexKind"> {
  if (wish.index === undefined) return { indexText: undefined, indexKind: undefined };
  const other = retargetLines(wish.index, newNames(topics));
  const isUnwritten =
    index.before === null || index.before.trim() === "" || index.before === newIndex();
  if (isEmpty && isUnwritten) return readable(other, "taken");
  const known = new Set(topics.flatMap((topic) => ("slug" in topic ? [topic.slug] : [])));
  const merged = mergeIndex(index.text, other, (slug) => known.has(slug));
  const unlisted = new Set(
    unlistedSlugs(
      files.map(({ slug }) => slug),
      parseIndexLines(merged),
    ),
  );
  const indexText = files
    .filter(({ slug }) => unlisted.has(slug))
    .reduce(
      (text, { slug, after }) => putIndexLine(text, { ...parseTopicHeader(after ?? ""), slug }),
      merged,
    );
  return readable(indexText, merged === index.text ? "known" : "merged");
}

/** An index that nobody could read again would be the end of the store. */
function readable(
  indexText: string,
  kind: "taken" | "merged" | "known",
): Pick<ImportPlan, "indexText" | "indexKind"> {
  const bytes = utf8Bytes(indexText);
  if (bytes <= MAX_INDEX_FILE_BYTES) return { indexText, indexKind: { kind } };
  const sentence = `the index would have ${bytes} bytes, and at most ${MAX_INDEX_FILE_BYTES} are read`;
  return { indexText: undefined, indexKind: { kind: "refused", message: sentence } };
}

function newNames(topics: readonly ImportedTopic[]): ReadonlyMap<TopicSlug, TopicSlug> {
  const names = new Map<TopicSlug, TopicSlug>();
  for (const topic of topics) {
    const own = slugFromFileName(`${topic.name}.md`);
    if ("slug" in topic && own !== undefined && own !== topic.slug) names.set(own, topic.slug);
  }
  return names;
}

/** The texts that names have, those on the disk and those that are to be. */
export interface TextsThere {
  /** The text under a name, or under one that is the same for some file systems. */
  readonly find: (slug: TopicSlug) => Promise<string | undefined>;
  readonly take: (slug: TopicSlug, text: string) => void;
}

/** Each file is read once, however many ask for its name. */
export function createTextsThere(
  directory: string | undefined,
  slugs: readonly TopicSlug[],
): TextsThere {
  const exact = new Set(slugs);
  const alike = new Map(slugs.map((slug) => [slugKey(slug), slug]));
  const texts = new Map<string, string | undefined>();
  return {
    find: async (slug) => {
      const key = slugKey(slug);
      const same = exact.has(slug) ? slug : alike.get(key);
      if (directory === undefined || same === undefined) return texts.get(key);
      if (!texts.has(same)) texts.set(same, (await readTopicFile(directory, same))?.text);
      return texts.get(same);
    },
    take: (slug, text) => void texts.set(slugKey(slug), text),
  };
}

/** Whether this very text came from this very file before. */
export type TextsTaken = (file: {
  readonly slug: TopicSlug;
  readonly path: string | undefined;
  readonly text: string;
}) => boolean;

export function textsTaken(changes: readonly Change[]): TextsTaken {
  const taken = new Map<string, Set<string | null>>();
  for (const { slug, after, from } of changes.flatMap(({ files }) => files)) {
    if (from === undefined) continue;
    const key = `${slug}/${from.path}`;
    taken.set(key, (taken.get(key) ?? new Set()).add(after));
  }
  return ({ slug, path, text }) => taken.get(`${slug}/${path ?? ""}`)?.has(text) === true;
}
