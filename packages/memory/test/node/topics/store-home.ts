import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
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
  const home = homeAt(await temporaryDirectory());
  await writeFiles(home.directory, files);
  return home;
}

/** A copy of a home in which no store is in use. */
export async function copyHome({ directory }: StoreHome): Promise<StoreHome> {
  const [from, to] = [dirname(directory), await temporaryDirectory()];
  for (const name of readdirSync(from)) {
    mkdirSync(join(to, name), { mode: 0o700 });
    for (const file of readdirSync(join(from, name)))
      copyFile(join(from, name, file), join(to, name, file));
  }
  return homeAt(to);
}

/** Writes the bytes, because some file systems flush a file to the disk before they copy it. */
function copyFile(from: string, to: string): void {
  const { mode, atime, mtime } = statSync(from);
  writeFileSync(to, readFileSync(from), { mode });
  utimesSync(to, atime, mtime);
}

function homeAt(home: string): StoreHome {
  const [directory, historyDirectory] = [join(home, "memory"), join(home, "history")];
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
