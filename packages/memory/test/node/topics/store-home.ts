import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import {
  createFsTopicStore,
  type FsTopicStore,
  type FsTopicStoreInput,
} from "../../../src/node/topics/fs-topic-store.ts";
import type { WriteTopicInput } from "../../../src/store/topic-store.ts";

/** A temporary place for a store, and whatever stores are opened on it. */
export interface StoreHome {
  readonly directory: string;
  readonly historyDirectory: string;
  readonly open: (input?: Partial<FsTopicStoreInput>) => FsTopicStore;
  readonly names: () => Promise<readonly string[]>;
  readonly text: (name: string) => Promise<string>;
}

export async function storeHome(files: Readonly<Record<string, string>> = {}): Promise<StoreHome> {
  const home = await temporaryDirectory();
  const [directory, historyDirectory] = [join(home, "memory"), join(home, "history")];
  await writeFiles(directory, files);
  return {
    directory,
    historyDirectory,
    // The scanner has tests of its own, and the suite of the interface uses it.
    open: (input) =>
      createFsTopicStore({ directory, historyDirectory, findSecrets: async () => [], ...input }),
    names: async () => (await readdir(directory)).toSorted(),
    text: async (name) => await readFile(join(directory, name), "utf8"),
  };
}

/** Something to write. */
export function topic(name: string, body = `About ${name}.`): WriteTopicInput {
  return { name, description: `what ${name} is`, type: "project", body, author: { who: "agent" } };
}
