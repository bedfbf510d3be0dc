import { MemoryError } from "../../errors.ts";
import type { Change, FileChange } from "../../topic/change.ts";
import { nameBeside } from "../../topic/import-names.ts";
import { newIndex, putIndexLine } from "../../topic/index-body.ts";
import { indexLines, unlistedSlugs } from "../../topic/index-lines.ts";
import { mergeIndex, retargetLines } from "../../topic/merge-index.ts";
import { sameTopic } from "../../topic/plan-write.ts";
import { slugKey, slugOfFile, type TopicSlug } from "../../topic/slug.ts";
import { parseTopicHeader } from "../../topic/topic.ts";
import { sha256Hex } from "../sha256-hex.ts";
import type { ForeignFile, ImportedIndex, ImportedTopic } from "./import-topics.ts";
import { namesIn, readTopicFile, topicSlugs } from "./topic-files.ts";

/** A file whose every part is proven. */
export interface CheckedFile extends ForeignFile {
  readonly slug: TopicSlug;
}

export type RefusedFile = ImportedTopic & { readonly kind: "refused" };

/** What is to be taken over. */
export interface ImportWish {
  readonly checked: readonly (CheckedFile | RefusedFile)[];
  readonly agent: string;
  readonly index: string | undefined;
  readonly changes: readonly Change[];
}

/** What is there. */
export interface ImportPlace {
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
export async function planImport(wish: ImportWish, place: ImportPlace): Promise<ImportPlan> {
  const { directory } = place;
  const slugs = directory === undefined ? [] : topicSlugs(namesIn(directory));
  const taken = new Map<string, string>();
  const find: Find = async (slug) => {
    const same = sameTopic(slug, slugs);
    if (directory === undefined || same === undefined) return taken.get(slugKey(slug));
    return (await readTopicFile(directory, same))?.text;
  };
  const topics: ImportedTopic[] = [];
  const files: FileChange[] = [];
  for (const file of wish.checked) {
    // oxlint-disable-next-line no-await-in-loop -- a name that one takes the next cannot have
    const found = "kind" in file ? file : await placeOrRefusal(file, wish, find);
    topics.push(found);
    if ("kind" in file || found.kind !== "imported") continue;
    taken.set(slugKey(found.slug), file.text);
    files.push({ slug: found.slug, before: null, after: file.text, ...originOf(file, wish.agent) });
  }
  return {
    topics,
    files,
    ...planIndex({ wish, place, topics, files, isEmpty: slugs.length === 0 }),
  };
}

type Find = (slug: TopicSlug) => Promise<string | undefined>;

/** Where something that cannot be read has its name, a file is not taken; the others are. */
async function placeOrRefusal(
  file: CheckedFile,
  wish: ImportWish,
  find: Find,
): Promise<ImportedTopic> {
  try {
    return await placeFor(file, wish, find);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
    return { kind: "refused", name: file.name, sentence: error.message };
  }
}

/** The first of its names that is free, or under which the very same text is. */
async function placeFor(
  { name, slug, text, path }: CheckedFile,
  { agent, changes }: ImportWish,
  find: Find,
): Promise<ImportedTopic> {
  for (let attempt = 0; ; attempt++) {
    const candidate = attempt === 0 ? slug : nameBeside(slug, agent, attempt);
    // oxlint-disable-next-line no-await-in-loop -- one name after the other
    const there = await find(candidate);
    if (there === text) return { kind: "exists", name, slug: candidate, isSame: true };
    if (there !== undefined && wasTaken(changes, { slug: candidate, path, text })) {
      return { kind: "exists", name, slug: candidate, isSame: false };
    }
    if (there === undefined)
      return { kind: "imported", name, slug: candidate, isBeside: attempt > 0 };
  }
}

/** Whether this very text came from this very file before, and was changed here since. */
function wasTaken(
  changes: readonly Change[],
  {
    slug,
    path,
    text,
  }: { readonly slug: TopicSlug; readonly path: string | undefined; readonly text: string },
): boolean {
  return changes.some(({ files }) =>
    files.some(
      (file) =>
        file.slug === slug && file.from?.path === path && path !== undefined && file.after === text,
    ),
  );
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
  readonly wish: ImportWish;
  readonly place: ImportPlace;
  readonly topics: readonly ImportedTopic[];
  readonly files: readonly FileChange[];
  readonly isEmpty: boolean;
}): Pick<ImportPlan, "indexText" | "indexKind"> {
  if (wish.index === undefined) return { indexText: undefined, indexKind: undefined };
  const other = retargetLines(wish.index, newNames(topics));
  const isUnwritten =
    index.before === null || index.before.trim() === "" || index.before === newIndex();
  if (isEmpty && isUnwritten) return { indexText: other, indexKind: { kind: "taken" } };
  const known = new Set(topics.flatMap((topic) => ("slug" in topic ? [topic.slug] : [])));
  const merged = mergeIndex(index.text, other, (slug) => known.has(slug));
  const unlisted = new Set(
    unlistedSlugs(
      files.map(({ slug }) => slug),
      indexLines(merged),
    ),
  );
  const indexText = files
    .filter(({ slug }) => unlisted.has(slug))
    .reduce(
      (text, { slug, after }) => putIndexLine(text, { ...parseTopicHeader(after ?? ""), slug }),
      merged,
    );
  return { indexText, indexKind: { kind: merged === index.text ? "known" : "merged" } };
}

function newNames(topics: readonly ImportedTopic[]): ReadonlyMap<TopicSlug, TopicSlug> {
  const names = new Map<TopicSlug, TopicSlug>();
  for (const topic of topics) {
    const own = slugOfFile(`${topic.name}.md`);
    if ("slug" in topic && own !== undefined && own !== topic.slug) names.set(own, topic.slug);
  }
  return names;
}
