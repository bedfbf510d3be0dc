import { MemoryError } from "../../errors.ts";
import { newIndex } from "../../index-file/edit-index.ts";
import { toTopicSlug } from "../../store/import-names.ts";
import { assertBodySize } from "../../store/plan-write.ts";
import { assertNoSecrets, type FindSecrets } from "../../store/secrets.ts";
import type { Author } from "../../store/topic-store.ts";
import { parseTopic } from "../../topics/parse-topic.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import { readIndexFile } from "./files/topic-files.ts";
import { findSecretNames, maskNames, type SecretNames } from "./secret-names.ts";
import {
  type CheckedFile,
  type ImportRequest,
  planImport,
  type RefusedFile,
} from "./plan-import.ts";
import { openDirectory, type StoreContext } from "./transaction/store-context.ts";
import { commit, commitIndex, transact, type Transaction } from "./transaction/transaction.ts";

/** A topic file of another program. */
export interface ImportFile {
  /** The file name without its extension. */
  readonly name: string;
  /** The whole file. */
  readonly text: string;
  /** Its path, for the history; not recorded if left out. */
  readonly path?: string | undefined;
}

export interface ImportTopicsInput {
  readonly files: readonly ImportFile[];
  /** The program that wrote the files, in one word. It becomes part of an alternative name if a name is taken. */
  readonly agent?: string | undefined;
  /** The index of the other program. An empty store takes it over completely; any other store adds what is new. */
  readonly index?: string | undefined;
  /** Returns the result without writing anything. */
  readonly isPreview?: boolean;
  readonly author: Author;
}

export interface ImportedTopics {
  readonly topics: readonly ImportedTopic[];
  /** The result for the index; `undefined` if there was none. */
  readonly index?: ImportedIndex | undefined;
  /** The change in the history; a single undo takes the whole import back. */
  readonly change?: string | undefined;
}

/** `taken`: copied completely. `merged`: new parts were added. `known`: nothing was new. */
export type ImportedIndex =
  | { readonly kind: "taken" | "merged" | "known" }
  | { readonly kind: "refused"; readonly message: string };

/** The result for a file; `name` is its own name, `slug` its name in this store. */
export type ImportedTopic =
  | {
      readonly kind: "imported";
      readonly name: string;
      readonly slug: TopicSlug;
      /** Whether another topic has its name already. */
      readonly isNameTaken: boolean;
    }
  /** Nothing is overwritten or imported twice. */
  | {
      readonly kind: "exists";
      readonly name: string;
      readonly slug: TopicSlug;
      /** Whether the text is still the same, or was changed here after an earlier import. */
      readonly isSame: boolean;
    }
  | { readonly kind: "refused"; readonly name: string; readonly message: string };

/**
 * Imports topic files unchanged, all in one change, except those that exist already or are refused. A file whose name is
 * taken by another topic gets an alternative name.
 */
export async function importTopics(
  context: StoreContext,
  input: ImportTopicsInput,
): Promise<ImportedTopics> {
  const { findSecrets, history } = context;
  await assertNoSecrets({ "name of the program": input.agent ?? "" }, findSecrets);
  const checked = await Promise.all(input.files.map((file) => checkFile(file, findSecrets)));
  const refusedIndex = await checkIndex(input.index, findSecrets);
  const request: ImportRequest = {
    checked,
    agent: input.agent ?? "import",
    index: refusedIndex === undefined ? input.index : undefined,
    changes: await history.read(),
  };
  const result =
    input.isPreview === true
      ? await previewImport(context, request)
      : await transact(context, (transaction) => runImport(transaction, request, input.author));
  return refusedIndex === undefined ? result : { ...result, index: refusedIndex };
}

async function previewImport(
  context: StoreContext,
  request: ImportRequest,
): Promise<ImportedTopics> {
  const directory = openDirectory(context);
  const index = directory === undefined ? NO_INDEX : await readIndexFile(directory);
  const { topics, indexResult } = await planImport(request, { directory, index });
  return { topics, index: indexResult };
}

const NO_INDEX = { raw: null, text: newIndex() };

async function runImport(
  transaction: Transaction,
  request: ImportRequest,
  author: Author,
): Promise<ImportedTopics> {
  const { directory, index: text, rawIndex } = transaction;
  const plan = await planImport(request, { directory, index: { raw: rawIndex, text } });
  const { files, indexText } = plan;
  const result = { topics: plan.topics, index: plan.indexResult };
  if (files.length > 0) {
    const { change } = await commit(transaction, {
      action: "import",
      author,
      files,
      index: indexText,
    });
    return { ...result, change };
  }
  if (indexText !== undefined && indexText !== rawIndex) await commitIndex(transaction, indexText);
  return result;
}

async function checkFile(
  file: ImportFile,
  findSecrets: FindSecrets,
): Promise<CheckedFile | RefusedFile> {
  const { name, text } = file;
  if (!text.isWellFormed()) return { kind: "refused", name, message: NOT_WELL_FORMED };
  try {
    assertBodySize(parseTopic(text).body);
    const inName = await findSecretNames([name, file.path ?? ""], findSecrets);
    if (inName.size > 0) return refusedName(name, inName);
    const message = await describeSecrets(text, findSecrets);
    if (message !== undefined) return { kind: "refused", name, message };
    return { ...file, slug: toTopicSlug(name) };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { kind: "refused", name, message: error.message };
  }
}

/** The result is displayed, so it does not repeat the name. */
function refusedName(name: string, secrets: SecretNames): RefusedFile {
  const kinds = [...new Set(secrets.values())].join("; ");
  return {
    kind: "refused",
    name: maskNames(name, secrets),
    message: `its name looks like a secret: ${kinds}`,
  };
}

/** A lone surrogate cannot be encoded as UTF-8, so the file would have another text. */
const NOT_WELL_FORMED = "it contains half of a surrogate pair, which cannot be saved as UTF-8";

async function checkIndex(
  index: string | undefined,
  findSecrets: FindSecrets,
): Promise<ImportedIndex | undefined> {
  if (index === undefined) return undefined;
  if (!index.isWellFormed()) return { kind: "refused", message: NOT_WELL_FORMED };
  const message = await describeSecrets(index, findSecrets);
  return message === undefined ? undefined : { kind: "refused", message };
}

/** Names the kind and the line, never the value. */
async function describeSecrets(
  text: string,
  findSecrets: FindSecrets,
): Promise<string | undefined> {
  const found = await findSecrets(text);
  const lines = found.map(({ kind, line }) => `line ${line} looks like a secret: ${kind}`);
  return lines.length === 0 ? undefined : [...new Set(lines)].join("; ");
}
