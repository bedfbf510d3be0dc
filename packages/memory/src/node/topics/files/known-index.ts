import { lstatSync } from "node:fs";
import { errorCode } from "@caliban/common/node";
import { type IndexFile, indexPath, readIndexFile } from "./topic-files.ts";

/** The index as last read. A large one takes longer to read and to hash than everything else in a write. */
export interface KnownIndex {
  /** Reads the index from disk. */
  readonly read: (directory: string) => Promise<IndexFile>;
  /** The index as last read, unless the file has changed since then. A write compares the text with the file anyway. */
  readonly readIfChanged: (directory: string) => Promise<IndexFile>;
  /** A version that is valid as long as this process runs. */
  readonly versionOf: (raw: string) => string;
}

/** A writer compares the text it has read with the current one and writes a third. */
const MAX_VERSIONS = 4;

export function createKnownIndex(): KnownIndex {
  const prefix = crypto.randomUUID();
  let count = 0;
  let versions: readonly { readonly raw: string; readonly version: string }[] = [];
  let last: { readonly stamp: string; readonly file: IndexFile } | undefined;
  const read = async (directory: string): Promise<IndexFile> => {
    const before = stampOf(directory);
    const file = await readIndexFile(directory);
    const isStable = before !== undefined && before === stampOf(directory);
    last = isStable ? { stamp: before, file } : undefined;
    return file;
  };
  return {
    read,
    readIfChanged: async (directory) =>
      last !== undefined && last.stamp === stampOf(directory) ? last.file : await read(directory),
    versionOf: (raw) => {
      const known = versions.find((each) => each.raw === raw);
      if (known !== undefined) return known.version;
      const version = `${prefix}-${++count}`;
      versions = [...versions, { raw, version }].slice(-MAX_VERSIONS);
      return version;
    },
  };
}

/** `undefined` if there is none, or none that can be read; reading reports why. */
function stampOf(directory: string): string | undefined {
  try {
    const stats = lstatSync(indexPath(directory), { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
