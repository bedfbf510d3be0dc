import { MemoryError } from "../../errors.ts";
import { assertBodySize } from "../../store/plan-write.ts";
import { toTopicSlug } from "../../store/import-names.ts";
import { newIndex } from "../../index-file/edit-index.ts";
import type { FindSecrets } from "../../store/secrets.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import type { Author } from "../../store/topic-store.ts";
import { parseTopic } from "../../topics/parse-topic.ts";
import type { HistoryFile } from "./history/history-file.ts";
import { type CheckedFile, type ImportRequest, planImport, type RefusedFile } from "./plan-import.ts";
import type { StoreAccess } from "./transaction/transaction.ts";
import { readIndexFile } from "./files/topic-files.ts";

/** A topic file as another program wrote it. */
export interface ImportFile {
  /** Its name there, without the ending. */
  readonly name: string;
  /** The whole file. */
  readonly text: string;
  /** Where it is, for the history; without it, nothing is said of that. */
  readonly path?: string | undefined;
}

export interface ImportTopicsInput {
  readonly files: readonly ImportFile[];
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
  | { readonly kind: "refused"; readonly message: string };

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
  | { readonly kind: "refused"; readonly name: string; readonly message: string };

interface ImportStore {
  readonly access: StoreAccess;
  readonly history: HistoryFile;
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
  const wish: ImportRequest = {
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

async function checkFile(
  file: ImportFile,
  findSecrets: FindSecrets,
): Promise<CheckedFile | RefusedFile> {
  const { name, text } = file;
  if (!text.isWellFormed()) return { kind: "refused", name, message: HALF_CHARACTER };
  try {
    assertBodySize(parseTopic(text).body);
    const sentence = await secretSentence(text, findSecrets);
    if (sentence !== undefined) return { kind: "refused", name, message: sentence };
    return { ...file, slug: toTopicSlug(name) };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { kind: "refused", name, message: error.message };
  }
}

/** What has no bytes would be another text on the disk. */
const HALF_CHARACTER = "it holds half a character, which no file can hold";

async function indexProblem(
  index: string | undefined,
  findSecrets: FindSecrets,
): Promise<ImportedIndex | undefined> {
  if (index === undefined) return undefined;
  if (!index.isWellFormed()) return { kind: "refused", message: HALF_CHARACTER };
  const sentence = await secretSentence(index, findSecrets);
  return sentence === undefined ? undefined : { kind: "refused", message: sentence };
}

/** Kind and line, never the value. */
async function secretSentence(text: string, findSecrets: FindSecrets): Promise<string | undefined> {
  const found = await findSecrets(text);
  const places = found.map(({ kind, line }) => `line ${line} looks like a secret: ${kind}`);
  return places.length === 0 ? undefined : [...new Set(places)].join("; ");
}
