import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import {
  createFsTopicStore,
  type FsTopicStore,
  type FsTopicStoreInput,
} from "../../../src/node/topics/fs-topic-store.ts";
import { unsyncedDisk } from "./intercepted-disk.ts";

/** A temporary directory for a store, and stores opened on it. */
export interface StoreHome {
  readonly directory: string;
  readonly historyDirectory: string;
  readonly open: (input?: Partial<FsTopicStoreInput>) => FsTopicStore;
  readonly names: () => Promise<readonly string[]>;
  readonly text: (name: string) => Promise<string>;
  /** Removes the lock, as if the process that holds it had ended. */
  readonly endProcess: () => Promise<void>;
}

export async function storeHome(files: Readonly<Record<string, string>> = {}): Promise<StoreHome> {
  const home = await temporaryDirectory();
  const [directory, historyDirectory] = [join(home, "memory"), join(home, "history")];
  await writeFiles(directory, files);
  const names = async (): Promise<readonly string[]> => (await readdir(directory)).toSorted();
  return {
    directory,
    historyDirectory,
    names,
    open: (input) =>
      createFsTopicStore({
        directory,
        historyDirectory,
        disk: unsyncedDisk,
        // The scanner has its own tests, and the contract suite uses it.
        findSecrets: async () => [],
        // Tests that save a file as another program does need not wait for it.
        saveMs: 0,
        ...input,
      }),
    text: async (name) => await readFile(join(directory, name), "utf8"),
    endProcess: async () => {
      for (const name of await names()) {
        if (name.startsWith(".lock")) await rm(join(directory, name));
      }
    },
  };
}
