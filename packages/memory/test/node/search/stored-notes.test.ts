import { readdirSync, writeFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import type { Note } from "../../../src/index.ts";
import {
  forgetSearch,
  openMemorySearch,
  openStoredNotes,
  openTopicStore,
} from "../../../src/node/index.ts";

const topic = (description: string, body: string): string =>
  `---\nname: x\ndescription: ${description}\nmetadata:\n  type: project\napplies:\n  commands: ["npm *"]\n---\n\n${body}\n`;

interface Project {
  readonly input: { readonly workspace: string; readonly env: { readonly HOME: string } };
  readonly topics: string;
  readonly search: string;
  readonly store: () => Promise<void>;
  readonly find: (command: string, more?: object) => Promise<Note | undefined>;
}

async function openProject(): Promise<Project> {
  const home = await temporaryDirectory();
  const workspace = join(home, "app");
  await mkdir(workspace);
  const input = { workspace, env: { HOME: home } };
  const { directory: topics } = await openTopicStore(input);
  await mkdir(topics, { recursive: true });
  await writeFile(join(topics, "use-pnpm.md"), topic("Use pnpm", "Never npm."));
  return {
    input,
    topics,
    search: join(home, ".local/state/caliban/search"),
    store: async () => {
      const search = openMemorySearch({ ...input, userTopics: true });
      await search.storeNotes("stamp");
      await search.settled();
      search.stop();
    },
    find: async (command, more = {}) => {
      const notes = await openStoredNotes({ ...input, ...more });
      return await notes.note({
        trigger: { kind: "command", command },
        isKnown: () => false,
        isReadable: () => true,
        nowMs: 0,
      });
    },
  };
}

it("finds a note in a process that loads no index, in its words of now", async () => {
  const { store, find, topics, input } = await openProject();
  expect(await find("npm install")).toBeUndefined();
  await store();
  expect((await openStoredNotes(input)).stored).toMatchObject({ stamp: "stamp", size: 1 });
  expect((await find("npm install"))?.text).toBe("Use pnpm. Never npm.");
  expect(await find("ls")).toBeUndefined();
  await writeFile(join(topics, "use-pnpm.md"), topic("Use bun", "Never npm."));
  expect((await find("npm install"))?.text).toBe("Use bun. Never npm.");
  await rm(join(topics, "use-pnpm.md"));
  expect(await find("npm install")).toBeUndefined();
});

it("shows a topic about the user only if that is allowed now, whatever was allowed when notes were stored", async () => {
  const { store, find, topics, input } = await openProject();
  await rm(join(topics, "use-pnpm.md"));
  const user = await openTopicStore({ ...input, scope: "user" });
  await mkdir(user.directory, { recursive: true });
  await writeFile(join(user.directory, "mine.md"), topic("Use my npm", "Always."));
  await store();
  expect((await find("npm install", { userTopics: true }))?.source.address).toBe(
    "memory://user/topics/mine",
  );
  expect(await find("npm install")).toBeUndefined();
});

it("leaves no stored notes when search is forgotten, or when the index forgets a topic", async () => {
  const { store, topics, search, input } = await openProject();
  const names = (): readonly string[] =>
    readdirSync(search).filter((name) => name.includes(".notes"));
  await store();
  expect(names()).toHaveLength(1);
  forgetSearch(input);
  expect(names()).toEqual([]);
  await store();
  await rm(join(topics, "use-pnpm.md"));
  const other = openMemorySearch({ ...input, userTopics: true });
  await other.search({ query: "pnpm" });
  await other.settled();
  other.stop();
  expect(names()).toEqual([]);
});

it("ignores a stored file that is not one", async () => {
  const { store, find, search } = await openProject();
  await store();
  for (const name of readdirSync(search)) {
    if (!name.endsWith(".notes")) continue;
    writeFileSync(join(dirname(join(search, name)), name), "not notes");
  }
  expect(await find("npm install")).toBeUndefined();
});
