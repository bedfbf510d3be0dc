import type { ImportSource, SourceFile } from "../../exchange/source.ts";
import type { Author } from "../../store/topic-store.ts";
import type { ResolvedEnvironment } from "../project/environment.ts";
import type { FsTopicStore } from "../topics/fs-topic-store.ts";
import type { ImportedIndex, ImportedTopic } from "../topics/import-topics.ts";
import { type InstructionFile, planInstructions, writeInstructions } from "./instructions.ts";

export interface ImportSourceInput {
  readonly source: ImportSource;
  readonly store: FsTopicStore;
  /** The user's global instruction file. Without it, no instructions are imported. */
  readonly globalFile?: string | undefined;
  readonly environment: ResolvedEnvironment;
  /** Returns the report without changing anything. */
  readonly isPreview?: boolean;
  readonly author: Author;
}

/** What happened to each file of a source, or would happen. */
export interface ImportReport {
  readonly instructions: readonly InstructionFile[];
  /** In the order of the source. Files with a problem, and excluded files, have no result. */
  readonly topics: readonly {
    readonly file: SourceFile;
    readonly result?: ImportedTopic | undefined;
  }[];
  readonly index?:
    | { readonly file: SourceFile; readonly result?: ImportedIndex | undefined }
    | undefined;
  /** The change in the history; undoing it takes back all topics. */
  readonly change?: string | undefined;
}

/**
 * Imports a source into a store. Nothing is overwritten: a topic whose name is taken gets an alternative name, and
 * instructions are only imported while there is no global file.
 */
export async function importSource(input: ImportSourceInput): Promise<ImportReport> {
  const { source, globalFile, environment, isPreview = false } = input;
  const instructions =
    globalFile === undefined ? [] : planInstructions(source.instructions, globalFile, environment);
  if (!isPreview && globalFile !== undefined) await writeInstructions(globalFile, instructions);
  const { topics, index, change } = await importFiles(input);
  const results = topics.values();
  return {
    instructions,
    topics: source.files.map((file) =>
      isImportable(file) ? { file, result: results.next().value } : { file },
    ),
    index: source.index === undefined ? undefined : { file: source.index, result: index },
    change,
  };
}

async function importFiles({
  source,
  store,
  isPreview = false,
  author,
}: ImportSourceInput): Promise<Awaited<ReturnType<FsTopicStore["importTopics"]>>> {
  const files = source.files.filter(isImportable);
  const index =
    source.index !== undefined && "text" in source.index ? source.index.text : undefined;
  if (files.length === 0 && index === undefined) return { topics: [] };
  // Part of the alternative name of a topic.
  const agent = source.name === "agents-md" ? "agents" : source.name;
  return await store.importTopics({ files, agent, index, isPreview, author });
}

type ImportableFile = Extract<SourceFile, { readonly text: string }>;

function isImportable(file: SourceFile): file is ImportableFile {
  return "text" in file && file.excluded === undefined;
}

/** The same source with its excluded files. */
export function includeExcluded(source: ImportSource): ImportSource {
  const files = source.files.map((file) =>
    "text" in file ? { ...file, excluded: undefined } : file,
  );
  return { ...source, files };
}
