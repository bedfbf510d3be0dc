import { utf8Bytes } from "@caliban/common";
import type { Change, FileChange } from "../../history/change.ts";
import { newIndex, putIndexLine } from "../../index-file/edit-index.ts";
import { parseIndexLines, unlistedSlugs } from "../../index-file/index-lines.ts";
import { mergeIndex, retargetLines } from "../../index-file/merge-index.ts";
import { MAX_INDEX_FILE_BYTES } from "../../topics/limits.ts";
import { parseTopicHeader } from "../../topics/parse-topic.ts";
import { slugFromFileName, slugKey, type TopicSlug } from "../../topics/slug.ts";
import { alternativeSlug } from "../import-names.ts";
import type { ImportedIndex, ImportedTopic, ImportFile } from "../imported-topics.ts";
import type { TopicChange } from "./commit-change.ts";
import type { Engine } from "./engine.ts";
import { type IndexState, readEntries } from "./read-topics.ts";

/** A validated file. */
export interface CheckedFile extends ImportFile {
  readonly slug: TopicSlug;
}

export type RefusedFile = ImportedTopic & { readonly kind: "refused" };

export interface ImportRequest {
  readonly checked: readonly (CheckedFile | RefusedFile)[];
  readonly agent: string;
  readonly index: string | undefined;
  /** The history, to recognize files that were imported before. */
  readonly changes: readonly Change[];
}

/** The result for each file, and what to write. */
export interface ImportPlan {
  readonly topics: readonly ImportedTopic[];
  readonly files: readonly TopicChange[];
  readonly indexText: string | undefined;
  readonly indexResult: ImportedIndex | undefined;
}

/** Chooses a name for each file, one after the other, and merges the index. Changes nothing. */
export async function planImport(
  engine: Engine,
  request: ImportRequest,
  index: IndexState,
): Promise<ImportPlan> {
  const { topics: listed, problems } = await engine.listTopics();
  const slugs = [...listed, ...problems].map(({ slug }) => slug);
  const texts = await readTextsByName(engine, slugs, request);
  const wasImported = importedBefore(request.changes);
  const topics: ImportedTopic[] = [];
  const files: TopicChange[] = [];
  let bytes = 0;
  for (const file of request.checked) {
    const names = { texts, wasImported };
    // A name taken by one file is not free for the next.
    const topic = "kind" in file ? file : chooseName(file, request.agent, names);
    if ("kind" in file || topic.kind !== "imported") {
      topics.push(topic);
      continue;
    }
    // As in the history, where a control character takes six bytes.
    const size = utf8Bytes(JSON.stringify(file.text));
    if (bytes + size > MAX_HISTORY_BYTES) {
      topics.push({ kind: "refused", name: file.name, message: TOO_MUCH });
      continue;
    }
    bytes += size;
    topics.push(topic);
    texts.add(topic.slug, file.text);
    files.push({
      slug: topic.slug,
      current: undefined,
      after: file.text,
      ...originOf(engine, file, request.agent),
    });
  }
  const isEmpty = slugs.length === 0;
  return { topics, files, ...planIndex({ request, index, topics, files, isEmpty }) };
}

/** The share of the history that one change may take: it must stay readable with the change and its undo. */
const MAX_HISTORY_BYTES = 16_000_000;
const TOO_MUCH = `one import is limited to ${MAX_HISTORY_BYTES} bytes; import again to add it`;

/** A name with this many different texts is a mistake or an attack. */
const MAX_ALTERNATIVES = 100;

interface NamesInUse {
  readonly texts: TextsByName;
  readonly wasImported: WasImported;
}

/** The first name that is free or has exactly the same text. */
function chooseName(
  { name, slug, text, path }: CheckedFile,
  agent: string,
  { texts, wasImported }: NamesInUse,
): ImportedTopic {
  for (let attempt = 0; attempt < MAX_ALTERNATIVES; attempt++) {
    const candidate = attempt === 0 ? slug : alternativeSlug(slug, agent, attempt);
    const existing = texts.find(candidate);
    if (existing.kind === "refused") return { kind: "refused", name, message: existing.message };
    if (existing.kind === "missing")
      return { kind: "imported", name, slug: candidate, isNameTaken: attempt > 0 };
    if (existing.text === text) return { kind: "exists", name, slug: candidate, isSame: true };
    if (wasImported({ slug: candidate, path, text })) {
      return { kind: "exists", name, slug: candidate, isSame: false };
    }
  }
  const message = `${MAX_ALTERNATIVES} topics with other texts have its name already; rename it there`;
  return { kind: "refused", name, message };
}

function originOf(
  { sha256Hex }: Engine,
  { path, text }: CheckedFile,
  agent: string,
): Pick<FileChange, "from"> {
  return path === undefined ? {} : { from: { agent, path, sha256: sha256Hex(text) } };
}

/** The texts by name: those in the store, and those to be imported. */
interface TextsByName {
  /** The text with this name, or with one that some file systems treat as the same. */
  readonly find: (slug: TopicSlug) => NamedText;
  readonly add: (slug: TopicSlug, text: string) => void;
}

type NamedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly message: string };

/** Reads the topics whose names the import may want, all at once. */
async function readTextsByName(
  { backend }: Engine,
  slugs: readonly TopicSlug[],
  { checked, agent }: ImportRequest,
): Promise<TextsByName> {
  const keys = new Set(checked.flatMap((file) => ("kind" in file ? [] : [slugKey(file.slug)])));
  const matches = (slug: TopicSlug): boolean => {
    const key = slugKey(slug);
    return keys.has(key) || key.includes(slugKey(`-from-${agent}`));
  };
  const entries = await readEntries(backend, slugs.filter(matches));
  const texts = new Map<string, NamedText>();
  const similar = new Map<string, NamedText>();
  for (const slug of slugs) {
    const entry = entries.get(slug);
    if (entry === undefined) continue;
    const found: NamedText =
      "problem" in entry
        ? { kind: "refused", message: entry.problem }
        : { kind: "text", text: entry.text };
    texts.set(slug, found);
    similar.set(slugKey(slug), found);
  }
  return {
    find: (slug) => texts.get(slug) ?? similar.get(slugKey(slug)) ?? { kind: "missing" },
    add: (slug, text) => void similar.set(slugKey(slug), { kind: "text", text }),
  };
}

/** Whether exactly this text was imported from this file before. */
type WasImported = (file: {
  readonly slug: TopicSlug;
  readonly path: string | undefined;
  readonly text: string;
}) => boolean;

function importedBefore(changes: readonly Change[]): WasImported {
  const imported = new Map<string, Set<string | null>>();
  for (const { slug, after, from } of changes.flatMap(({ files }) => files)) {
    if (from === undefined) continue;
    const key = `${slug}/${from.path}`;
    imported.set(key, (imported.get(key) ?? new Set()).add(after));
  }
  return ({ slug, path, text }) => imported.get(`${slug}/${path ?? ""}`)?.has(text) === true;
}

/** Merges the index of the other program, and adds a line for every new topic. */
function planIndex({
  request,
  index,
  topics,
  files,
  isEmpty,
}: {
  readonly request: ImportRequest;
  readonly index: IndexState;
  readonly topics: readonly ImportedTopic[];
  readonly files: readonly TopicChange[];
  readonly isEmpty: boolean;
}): Pick<ImportPlan, "indexText" | "indexResult"> {
  if (request.index === undefined) return { indexText: undefined, indexResult: undefined };
  const other = retargetLines(request.index, newNames(topics));
  const isUnused = index.raw === null || index.raw.trim() === "" || index.raw === newIndex();
  if (isEmpty && isUnused) return ifReadable(other, "taken");
  const known = new Set(topics.flatMap((topic) => ("slug" in topic ? [topic.slug] : [])));
  const merged = mergeIndex(index.text, other, (slug) => known.has(slug));
  const slugs = files.map(({ slug }) => slug);
  const unlisted = new Set(unlistedSlugs(slugs, parseIndexLines(merged)));
  const indexText = files
    .filter(({ slug }) => unlisted.has(slug))
    .reduce(
      (text, { slug, after }) => putIndexLine(text, { ...parseTopicHeader(after ?? ""), slug }),
      merged,
    );
  return ifReadable(indexText, merged === index.text ? "known" : "merged");
}

/** An index that is too long to be read again would make the store unusable. */
function ifReadable(
  indexText: string,
  kind: "taken" | "merged" | "known",
): Pick<ImportPlan, "indexText" | "indexResult"> {
  const bytes = utf8Bytes(indexText);
  if (bytes <= MAX_INDEX_FILE_BYTES) return { indexText, indexResult: { kind } };
  const message = `the index would have ${bytes} bytes; the limit is ${MAX_INDEX_FILE_BYTES}`;
  return { indexText: undefined, indexResult: { kind: "refused", message } };
}

function newNames(topics: readonly ImportedTopic[]): ReadonlyMap<TopicSlug, TopicSlug> {
  const names = new Map<TopicSlug, TopicSlug>();
  for (const topic of topics) {
    const own = slugFromFileName(`${topic.name}.md`);
    if ("slug" in topic && own !== undefined && own !== topic.slug) names.set(own, topic.slug);
  }
  return names;
}
