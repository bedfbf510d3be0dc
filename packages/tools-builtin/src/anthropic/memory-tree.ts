import { isMemoryError, type StoredTopic } from "@caliban/memory";
import type { AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import { foreignNameOf, pathOf, topicNameOf } from "./topic-name.ts";

/** A file of the tool, as a list has it. */
export interface MemoryFile {
  /** Relative to the directory. */
  readonly path: string;
  /** The name of its topic. */
  readonly name: string;
  readonly updatedMs: number;
  /** Of the whole topic. */
  readonly bytes: number;
  /** Why it cannot be read. */
  readonly problem?: string | undefined;
}

/** All files, the newest first, then those that cannot be read. */
export async function listFiles(store: AnthropicMemoryStore): Promise<readonly MemoryFile[]> {
  const { topics, problems } = await store.list();
  return [
    ...topics.map(({ slug, updatedMs, bytes }) => ({
      path: pathOf(slug),
      name: slug,
      updatedMs,
      bytes,
    })),
    ...problems.map(({ slug, message: problem }) => ({
      path: pathOf(slug),
      name: slug,
      updatedMs: 0,
      bytes: 0,
      problem,
    })),
  ];
}

/** The topic of a path; `undefined` if the path is not a file. */
export async function readFile(
  store: AnthropicMemoryStore,
  path: string,
): Promise<StoredTopic | undefined> {
  return (await readTopic(store, topicNameOf(path))) ?? (await readForeign(store, path));
}

/** The files in a directory, at any depth. A directory exists as long as it has a file, as in git. */
export function filesIn(files: readonly MemoryFile[], directory: string): readonly MemoryFile[] {
  return files.filter(({ path }) => path.startsWith(`${directory}/`));
}

/** The file that a path treats as a directory; `undefined` if there is none. */
export function fileAbove(files: readonly MemoryFile[], path: string): MemoryFile | undefined {
  return files.find((file) => path.startsWith(`${file.path}/`));
}

async function readForeign(
  store: AnthropicMemoryStore,
  path: string,
): Promise<StoredTopic | undefined> {
  const name = foreignNameOf(path);
  return name === undefined ? undefined : await readTopic(store, name);
}

/** A name that no topic can have is one of a missing topic. */
async function readTopic(
  store: AnthropicMemoryStore,
  name: string,
): Promise<StoredTopic | undefined> {
  try {
    return await store.read(name);
  } catch (error) {
    if (isMemoryError(error) && error.code === "INVALID_SLUG") return undefined;
    throw error;
  }
}
