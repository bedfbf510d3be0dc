import { existsSync, readdirSync } from "node:fs";
import { utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import {
  createIndexCache,
  type IndexCache,
  type IndexCacheInput,
} from "../../../src/node/search/index-cache.ts";
import { topicDirectorySource } from "../../../src/node/search/topic-directory.ts";
import type { SearchSource } from "../../../src/search/live-index/source.ts";

/** A temporary directory for topics and the snapshot of their index. */
export interface CacheHome {
  readonly topics: string;
  readonly file: string;
  /** Opens a cache as another process would, and records the keys that it reads. */
  readonly open: (input?: Partial<IndexCacheInput>) => OpenedCache;
  /** Writes a topic with an old modification time, so that it does not count as recent. */
  readonly write: (name: string, body: string) => Promise<void>;
  /** The files in the directory of the snapshot. */
  readonly kept: () => readonly string[];
}

interface OpenedCache extends IndexCache {
  readonly reads: readonly string[];
  readonly find: (query: string) => Promise<readonly string[]>;
}

/** A word that occurs in one topic only; all of the same length below ten. */
export function wordOf(at: number): string {
  return `only${String(at).replaceAll(/\d/g, (digit) => "bcdfghjklm"[Number(digit)] ?? "")}`;
}

export async function cacheHome(count = 0): Promise<CacheHome> {
  const home = await temporaryDirectory();
  const [topics, file] = [join(home, "topics"), join(home, "state", "search", "project.idx")];
  let seconds = 1_000;
  const write = async (name: string, body: string): Promise<void> => {
    const path = join(topics, `${name}.md`);
    await writeFile(path, `---\ndescription: a topic\n---\n\n${body}\n`);
    await utimes(path, seconds, ++seconds);
  };
  await writeFiles(topics, { "MEMORY.md": "# Memory\n" });
  for (let at = 0; at < count; at++) await write(`topic-${at}`, `oven ${wordOf(at)}`);
  return {
    topics,
    file,
    write,
    open: (input) => openCounted({ file, sources: [topicDirectorySource(topics)], ...input }),
    kept: () => (existsSync(dirname(file)) ? readdirSync(dirname(file)).toSorted() : []),
  };
}

function openCounted(input: IndexCacheInput): OpenedCache {
  const reads: string[] = [];
  const sources = input.sources.map((source): SearchSource => {
    const read: SearchSource["read"] = async (entry, before) => {
      reads.push(entry.key);
      return await source.read(entry, before);
    };
    return { ...source, read };
  });
  const cache = createIndexCache({ ...input, sources });
  return {
    ...cache,
    reads,
    find: async (query) => {
      const { index } = await cache.refresh();
      const { topics } = index.search(query, { limit: 1_000 });
      return topics.map(({ id }) => id.slice("topics:".length, -1)).toSorted();
    },
  };
}
