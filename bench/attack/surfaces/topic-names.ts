import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsTopicStore, type FsTopicStore } from "../../../packages/memory/src/node/index.ts";
import { anthropicMemoryHandler } from "../../../packages/tools-builtin/src/anthropic/index.ts";
import { createMemoryResolver } from "../../../packages/tools-builtin/src/index.ts";
import { REFUSED_ADDRESSES } from "../../../test/attack/memory-addresses.ts";
import {
  anthropicPaths,
  leavingNames,
  READ_ONLY_NAMES,
  REFUSED_NAMES,
} from "../../../test/attack/topic-names.ts";
import {
  type Attempt,
  contentOf,
  requireOrdinary,
  resultText,
  SECRET,
  type Surface,
  withDirectory,
} from "../surface.ts";

const author = { who: "agent" } as const;
const topic = { description: "x", type: "project", body: "x", author } as const;

const VERBS: Readonly<Record<string, (store: FsTopicStore, name: string) => Promise<unknown>>> = {
  read: async (store, name) => await store.read(name),
  write: async (store, name) => await store.write({ ...topic, name, replace: true }),
  remove: async (store, name) => await store.remove({ name, author }),
  "rename from": async (store, name) => await store.rename({ from: name, to: "elsewhere", author }),
  "rename to": async (store, name) => await store.rename({ from: "known", to: name, author }),
  import: async (store, name) =>
    await store.importTopics({ files: [{ name, text: "Text.\n" }], author }),
};

/** Names, addresses and paths of topics that lead out of the memory directory. */
export const topicNames: Surface = {
  name: "paths: topic names, memory addresses, memory tool paths",
  attack: async () =>
    await withDirectory(async (home) => {
      const [inside, outside] = [join(home, "inside"), join(home, "outside")];
      const store = createFsTopicStore({
        directory: join(inside, "memory"),
        historyDirectory: join(inside, "history"),
      });
      await writeFile(`${outside}.md`, SECRET);
      await store.write({ ...topic, name: "known" });
      requireOrdinary((await store.read("known")) !== undefined, "a topic cannot be read");
      const before = await contentOf(home, inside);
      const attempt = async (name: string, action: () => Promise<unknown>): Promise<Attempt> => {
        const text = await resultText(action);
        const succeeded = text.includes(SECRET) || (await contentOf(home, inside)) !== before;
        if ((await store.read("known")) === undefined)
          await store.write({ ...topic, name: "known" });
        return { name, succeeded };
      };
      const attempts: Attempt[] = [];
      const names = [...REFUSED_NAMES, ...READ_ONLY_NAMES, ...leavingNames(outside)];
      for (const [verb, act] of Object.entries(VERBS)) {
        for (const name of names) {
          attempts.push(await attempt(`${verb} ${name}`, async () => await act(store, name)));
        }
      }
      const resolve = createMemoryResolver({ topics: store });
      const addresses = [
        ...REFUSED_ADDRESSES,
        ...leavingNames(outside).flatMap((name) => [
          `memory://topics/${name}`,
          `memory://topics/${encodeURIComponent(name)}`,
          `memory://${name}`,
        ]),
      ];
      for (const address of addresses) {
        attempts.push(await attempt(address, async () => await resolve(address)));
      }
      const handler = anthropicMemoryHandler(store);
      for (const path of anthropicPaths(outside)) {
        for (const input of anthropicCommands(path)) {
          const name = `${input.command} ${path}`;
          attempts.push(await attempt(name, async () => await handler.execute(input)));
        }
      }
      return attempts;
    }),
};

function anthropicCommands(
  path: string,
): readonly ({ readonly command: string } & Readonly<Record<string, unknown>>)[] {
  return [
    { command: "view", path },
    { command: "create", path, file_text: "x" },
    // A refusal quotes what the model sent, so only a part of the secret is sent.
    { command: "str_replace", path, old_str: SECRET.slice(0, 4), new_str: "x" },
    { command: "insert", path, insert_line: 0, insert_text: "x" },
    { command: "delete", path },
    { command: "rename", old_path: path, new_path: "/memories/taken.md" },
    { command: "rename", old_path: "/memories/known.md", new_path: path },
  ];
}
