import { createHash } from "node:crypto";
import { join } from "node:path";
import { findSecrets } from "@caliban/common/secrets";
import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { createFsTopicStore } from "@caliban/memory/node";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";

/** Every kind of store, opened with files in it. */
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
