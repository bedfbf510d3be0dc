import type { Diagnostic } from "@caliban/common";
import { MemoryError } from "../../../errors.ts";
import { toStoredTopic } from "../../../store/stored-topic.ts";
import type { StoredTopic } from "../../../store/topic-store.ts";
import {
  fileVersion,
  listFileNames,
  readIndexFile,
  readTopicFile,
  refusedFileError,
  topicPath,
  topicSlugs,
} from "./topic-files.ts";

/** All files of a memory directory. */
export interface StoreFiles {
  /** `null` if there is none. */
  readonly index: string | null;
  /** Sorted by name. */
  readonly topics: readonly StoredTopic[];
  /** About files that could not be read. */
  readonly problems: readonly Diagnostic<"REFUSED_FILE">[];
}

/** Reads a whole memory directory. An unreadable file never affects the others. */
export async function readStoreFiles(directory: string): Promise<StoreFiles> {
  const topics: StoredTopic[] = [];
  const problems: StoreProblem[] = [];
  const index = await readRawIndex(directory);
  if (index instanceof MemoryError) problems.push(refused(index));
  for (const slug of topicSlugs(listFileNames(directory)).toSorted()) {
    const file = await readTopicFile(directory, slug);
    if (file.kind === "text")
      topics.push(toStoredTopic({ ...file, version: fileVersion(file.text) }));
    if (file.kind === "refused")
      problems.push(refused(refusedFileError(topicPath(directory, slug), file.reason)));
  }
  return { index: index instanceof MemoryError ? null : index, topics, problems };
}

type StoreProblem = StoreFiles["problems"][number];

function refused({ message }: MemoryError): StoreProblem {
  return { code: "REFUSED_FILE", message };
}

async function readRawIndex(directory: string): Promise<string | null | MemoryError> {
  try {
    return (await readIndexFile(directory)).raw;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
    return error;
  }
}
