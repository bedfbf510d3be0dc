import { MemoryError } from "../../errors.ts";
import type { Change, FileChange } from "../../topic/change.ts";
import { assertBodyFits } from "../../topic/check-topic.ts";
import { nameBeside, topicNameFor } from "../../topic/import-names.ts";
import { newIndex, putIndexLine } from "../../topic/index-body.ts";
import { indexLines, unlistedSlugs } from "../../topic/index-lines.ts";
import { mergeIndex, retargetLines } from "../../topic/merge-index.ts";
import { sameTopic } from "../../topic/plan-write.ts";
import type { FindSecrets } from "../../topic/secret-gate.ts";
import { slugKey, slugOfFile, type TopicSlug } from "../../topic/slug.ts";
import type { Author } from "../../topic/store.ts";
import { parseTopic, parseTopicHeader } from "../../topic/topic.ts";
import { sha256Hex } from "../sha256-hex.ts";
import type { HistoryLog } from "./history-log.ts";
import type { StoreAccess } from "./store-access.ts";
import { namesIn, readIndexFile, readTopicFile, topicSlugs } from "./topic-files.ts";

/** A topic file as another program wrote it. */
export interface ForeignFile {
  /** Its name there, without the ending. */
  readonly name: string;
  /** The whole file. */
  readonly text: string;
  /** Where it is, for the history; without it, nothing is said of that. */
  readonly path?: string | undefined;
}

export interface ImportTopicsInput {
  readonly files: readonly ForeignFile[];
  /** Who wrote them, in one word: it is part of the name of what stands beside another. */
  readonly agent?: string | undefined;
  /** The other program's index: taken as it is into a store that is empty, and into any other what it says more. */
  readonly index?: string | undefined;
  /** Whether to find out only what would be done. */
  readonly isPreview?: boolean;
  readonly author: Author;
}

export interface ImportedTopics {
  readonly topics: readonly ImportedTopic[];
  /** Whether the index was taken over whole, in part, or said nothing new; `undefined` when there was none. */
  readonly index?: ImportedIndex | undefined;
  /** The change in the history, which one undo takes back. */
  readonly change?: string | undefined;
}

export type ImportedIndex =
  | { readonly kind: "taken" | "merged" | "known" }
  | { readonly kind: "refused"; readonly sentence: string };

/** What became of a file; `name` is its own, `slug` the one that it has here. */
export type ImportedTopic =
  | {
      readonly kind: "imported";
      readonly name: string;
      readonly slug: TopicSlug;
      /** Whether another topic has its name. */
      readonly isBeside: boolean;
    }
  /** Nothing is overwritten, and nothing taken twice. */
  | {
      readonly kind: "exists";
      readonly name: string;
      readonly slug: TopicSlug;
      /** Whether it is the same text still, or was changed here since it was taken over. */
      readonly isSame: boolean;
    }
  | { readonly kind: "refused"; readonly name: string; readonly sentence: string };

interface ImportStore {
  readonly access: StoreAccess;
  readonly history: HistoryLog;
  readonly findSecrets: FindSecrets;
}

/**
 * Takes topic files over as they are, all in one change, except those that are there already or cannot be taken. One
 * whose name another topic has gets a name beside it.
 */
export async function importTopics(
  { access, history, findSecrets }: ImportStore,
  input: ImportTopicsInput,
): Promise<ImportedTopics> {
  const { files, author, isPreview = false } = input;
  const checked = await Promise.all(files.map((file) => checkFile(file, findSecrets)));
  const refusedIndex = await indexProblem(input.index, findSecrets);
  const wish: Wish = {
    checked,
    agent: input.agent ?? "import",
    index: refusedIndex === undefined ? input.index : undefined,
    changes: await history.read(),
  };
  const directory = access.directory();
  if (isPreview) {
    const index = directory === undefined ? EMPTY : await readIndexFile(directory);
    const { topics, indexKind } = await planImport(wish, { directory, index });
    return { topics, index: refusedIndex ?? indexKind };
  }
  return await access.write(
    async ({ directory: real, index: text, rawIndex, commit, commitIndex }) => {
      const plan = await planImport(wish, { directory: real, index: { before: rawIndex, text } });
      const result = { topics: plan.topics, index: refusedIndex ?? plan.indexKind };
      if (plan.files.length > 0) {
        const { change } = await commit({
          action: "import",
          author,
          files: plan.files,
          index: plan.indexText,
        });
        return { ...result, change };
      }
      if (plan.indexText !== undefined && plan.indexText !== rawIndex)
        await commitIndex(plan.indexText);
      return result;
    },
  );
}

const EMPTY = { before: null, text: newIndex() };

interface CheckedFile extends ForeignFile {
  readonly slug: TopicSlug;
}

type Refused = ImportedTopic & { readonly kind: "refused" };

interface Wish {
  readonly checked: readonly (CheckedFile | Refused)[];
  readonly agent: string;
  readonly index: string | undefined;
  readonly changes: readonly Change[];
}

interface Place {
  readonly directory: string | undefined;
  readonly index: { readonly before: string | null; readonly text: string };
}

interface Plan {
  readonly topics: readonly ImportedTopic[];
  readonly files: readonly FileChange[];
  readonly indexText: string | undefined;
  readonly indexKind: ImportedIndex | undefined;
}

async function planImport(wish: Wish, place: Place): Promise<Plan> {
  const { directory } = place;
  const slugs = directory === undefined ? [] : topicSlugs(namesIn(directory));
  const taken = new Map<string, string>();
  const find = async (slug: TopicSlug): Promise<string | undefined> => {
    const same = sameTopic(slug, slugs);
    if (directory === undefined || same === undefined) return taken.get(slugKey(slug));
    return await textOrOther(directory, same);
  };
  const topics: ImportedTopic[] = [];
  const files: FileChange[] = [];
  for (const file of wish.checked) {
    // oxlint-disable-next-line no-await-in-loop -- a name that one takes the next cannot have
    const found = "kind" in file ? file : await placeFor(file, wish, find);
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

/** What cannot be read has a text of its own, whatever it is: nothing takes its place. */
async function textOrOther(directory: string, slug: TopicSlug): Promise<string | undefined> {
  try {
    return (await readTopicFile(directory, slug))?.text;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
    return "\0";
  }
}

/** The first of its names that is free, or under which the very same text is. */
async function placeFor(
  { name, slug, text, path }: CheckedFile,
  { agent, changes }: Wish,
  find: (slug: TopicSlug) => Promise<string | undefined>,
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
  readonly wish: Wish;
  readonly place: Place;
  readonly topics: readonly ImportedTopic[];
  readonly files: readonly FileChange[];
  readonly isEmpty: boolean;
}): Pick<Plan, "indexText" | "indexKind"> {
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

async function checkFile(
  file: ForeignFile,
  findSecrets: FindSecrets,
): Promise<CheckedFile | Refused> {
  const { name, text } = file;
  try {
    assertBodyFits(parseTopic(text).body);
    const sentence = await secretSentence(text, findSecrets);
    if (sentence !== undefined) return { kind: "refused", name, sentence };
    return { ...file, slug: topicNameFor(name) };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { kind: "refused", name, sentence: error.message };
  }
}

async function indexProblem(
  index: string | undefined,
  findSecrets: FindSecrets,
): Promise<ImportedIndex | undefined> {
  if (index === undefined) return undefined;
  const sentence = await secretSentence(index, findSecrets);
  return sentence === undefined ? undefined : { kind: "refused", sentence };
}

/** Kind and line, never the value. */
async function secretSentence(text: string, findSecrets: FindSecrets): Promise<string | undefined> {
  const found = await findSecrets(text);
  const places = found.map(({ kind, line }) => `line ${line} looks like a secret: ${kind}`);
  return places.length === 0 ? undefined : [...new Set(places)].join("; ");
}
