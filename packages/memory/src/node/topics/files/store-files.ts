import { MemoryError } from "../../../errors.ts";
import type { StoredTopic } from "../../../store/topic-store.ts";
import { toStoredTopic } from "../../../store/stored-topic.ts";
import { sha256Hex } from "../../sha256-hex.ts";
import { listFileNames, readIndexFile, readTopicFile, topicSlugs } from "./topic-files.ts";

/** Every file of a memory as it is on the disk. */
export interface StoreFiles {
  /** `null` when there is none. */
  readonly index: string | null;
  /** By name. */
  readonly topics: readonly StoredTopic[];
  /** Sentences about what cannot be read. */
  readonly problems: readonly string[];
}

/** Reads a whole memory; one file that cannot be read costs that file only. */
export async function readStoreFiles(directory: string): Promise<StoreFiles> {
  const topics: StoredTopic[] = [];
  const problems: string[] = [];
  const attempt = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== "REFUSED_FILE") throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const index = await attempt(() => readIndexFile(directory));
  for (const slug of topicSlugs(listFileNames(directory)).toSorted()) {
    // oxlint-disable-next-line no-await-in-loop -- it does not really wait
    const file = await attempt(() => readTopicFile(directory, slug));
    if (file !== undefined) topics.push(toStoredTopic(file, sha256Hex));
  }
  return { index: index?.raw ?? null, topics, problems };
}
