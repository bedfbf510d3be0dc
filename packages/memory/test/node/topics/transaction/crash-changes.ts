import type { FsTopicStore } from "../../../../src/node/topics/fs-topic-store.ts";
import { topic } from "../topic-input.ts";

const author = { who: "agent" } as const;

/** The changes that are interrupted by a crash, for a store with the topics `known` and `other`. */
export const CHANGES: Readonly<Record<string, (store: FsTopicStore) => Promise<unknown>>> = {
  write: async (store) =>
    await store.write({ ...topic("known", "New."), description: "another line", replace: true }),
  create: async (store) => await store.write(topic("new")),
  remove: async (store) => await store.remove({ name: "known", author }),
  rename: async (store) => await store.rename({ from: "known", to: "renamed", author }),
  import: async (store) =>
    await store.importTopics({
      author,
      agent: "claude",
      files: ["new", "known"].map((name) => ({
        name,
        text: `---\nname: ${name}\ndescription: what ${name} is\nmetadata:\n  type: project\n---\n\nAbout new.\n`,
        path: `/c/${name}.md`,
      })),
      index: "- [new](new.md) — project: what new is\n\nTheirs.\n",
    }),
};
