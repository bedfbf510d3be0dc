import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findSecrets } from "@caliban/common/secrets";
import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { createFsTopicStore } from "@caliban/memory/node";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";

/** Every kind of store, to be opened with files in it. */
export const STORES: readonly {
  readonly kind: string;
  readonly open: (files?: Readonly<Record<string, string>>) => Promise<TopicStore>;
}[] = [
  {
    kind: "in memory",
    open: async (files = {}) =>
      createMapTopicStore({
        sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
        now: Date.now,
        findSecrets,
        files,
      }),
  },
  {
    kind: "on disk",
    open: async (files = {}) => {
      const directory = join(await temporaryDirectory(), "memory");
      await writeFiles(directory, files);
      return createFsTopicStore({ directory });
    },
  },
];

/** Every file below a directory with its text, by relative name. */
export async function treeOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(directory.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}
