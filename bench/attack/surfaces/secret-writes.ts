import { join } from "node:path";
import { tokenShapes } from "../../../packages/common/test/secrets/token-shapes.ts";
import { createToolRunner } from "../../../packages/agent-core/src/index.ts";
import { createFsTopicStore, type FsTopicStore } from "../../../packages/memory/src/node/index.ts";
import { anthropicMemoryHandler } from "../../../packages/tools-builtin/src/anthropic/index.ts";
import { createMemoryTools } from "../../../packages/tools-builtin/src/index.ts";
import {
  type Attempt,
  contentOf,
  requireOrdinary,
  resultText,
  type Surface,
  withDirectory,
} from "../surface.ts";

const author = { who: "agent" } as const;
const topic = { description: "x", type: "project", body: "x", author } as const;

type Write = (store: FsTopicStore, text: string, at: number) => Promise<unknown>;

/** Every way in which a text of the model or of another program becomes memory. */
const WRITES: Readonly<Record<string, Write>> = {
  "WriteMemoryTopic, body": async (store, text, at) =>
    await callTool(store, { name: `t${at}`, description: "x", type: "project", body: text }),
  "WriteMemoryTopic, description": async (store, text, at) =>
    await callTool(store, { name: `t${at}`, description: text, type: "project", body: "x" }),
  "memory tool, create": async (store, text, at) =>
    await anthropicMemoryHandler(store).create({ path: `/memories/t${at}.md`, file_text: text }),
  "memory tool, insert": async (store, text) =>
    await anthropicMemoryHandler(store).insert({
      path: "/memories/known.md",
      insert_line: 0,
      insert_text: text,
    }),
  write: async (store, text, at) => await store.write({ ...topic, name: `t${at}`, body: text }),
  edit: async (store, text) => {
    const known = await store.read("known");
    const edited = `${known?.text ?? ""}\n${text}\n`;
    await store.edit({ name: "known", text: edited, ifMatch: known?.hash ?? "", author });
  },
  "import, text": async (store, text, at) =>
    await store.importTopics({ files: [{ name: `t${at}`, text: `${text}\n` }], author }),
  "import, index": async (store, text, at) =>
    await store.importTopics({
      files: [{ name: `t${at}`, text: "Text.\n" }],
      index: `# Index\n\n${text}\n`,
      author,
    }),
  "import, name": async (store, text) =>
    await store.importTopics({ files: [{ name: text, text: "Text.\n" }], author }),
  "write, name": async (store, text) => await store.write({ ...topic, name: text }),
  "rename, name": async (store, text) => await store.rename({ from: "known", to: text, author }),
};

/** Made-up secrets in the forms that vendors document, on every path into memory. */
export const secretWrites: Surface = {
  name: "secrets on the ways into memory",
  attack: async () => {
    const attempts: Attempt[] = [];
    for (const [name, write] of Object.entries(WRITES)) {
      const made = await withDirectory(async (home) => await attackWith(home, name, write));
      attempts.push(...made);
    }
    return attempts;
  },
};

async function attackWith(home: string, name: string, write: Write): Promise<readonly Attempt[]> {
  const store = createFsTopicStore({
    directory: join(home, "memory"),
    historyDirectory: join(home, "history"),
  });
  await store.write({ ...topic, name: "known", body: "ordinary-text" });
  requireOrdinary((await contentOf(home)).includes("ordinary-text"), "a topic cannot be written");
  // A name has at most 100 bytes; what is not a valid name is refused for that reason.
  const shapes = tokenShapes(7).filter(({ text }) => !name.endsWith("name") || text.length <= 100);
  for (const [at, { text }] of shapes.entries()) {
    await resultText(async () => await write(store, text, at));
  }
  const stored = (await contentOf(home)).toLowerCase();
  return shapes.map(({ kind, value }) => ({
    name: `${name}: ${kind}`,
    succeeded: stored.includes(value.toLowerCase()),
  }));
}

async function callTool(store: FsTopicStore, input: unknown): Promise<unknown> {
  const { run } = createToolRunner({ tools: createMemoryTools({ store }) });
  return await run({ name: "WriteMemoryTopic", input });
}
