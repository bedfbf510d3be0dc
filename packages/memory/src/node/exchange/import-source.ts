import type { ImportSource, SourceFile } from "../../exchange/source.ts";
import type { Author } from "../../store/topic-store.ts";
import { parseTopicHeader, type TopicProblem } from "../../topics/parse-topic.ts";
import { type EnvironmentOptions, resolveEnvironment } from "../project/environment.ts";
import type { FsTopicStore } from "../topics/fs-topic-store.ts";
import type { ImportedIndex, ImportedTopic } from "../topics/import-topics.ts";
import { type InstructionFile, planInstructions, writeInstructions } from "./instructions.ts";

export interface ImportSourceInput extends EnvironmentOptions {
  readonly source: ImportSource;
  readonly store: FsTopicStore;
  /** The user's global instruction file. Without it, no instructions are imported. */
  readonly globalFile?: string | undefined;
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
    /** The first problem of the header. Files are imported unchanged, so the user has to fix it. */
    readonly headerProblem?: TopicProblem | undefined;
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
  const { source, globalFile, isPreview = false } = input;
  const instructions =
    globalFile === undefined
      ? []
      : planInstructions(source.instructions, globalFile, resolveEnvironment(input));
  if (!isPreview && globalFile !== undefined) await writeInstructions(globalFile, instructions);
  const { topics, index, change } = await importFiles(input);
  const results = topics.values();
  return {
    instructions,
    topics: source.files.map((file) => {
      if (!isImportable(file)) return { file };
      const [headerProblem] = parseTopicHeader(file.text).problems;
      return { file, result: results.next().value, headerProblem };
    }),
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
