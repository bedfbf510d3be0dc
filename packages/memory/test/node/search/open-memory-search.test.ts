import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import {
  openMemorySearch,
  type OpenMemorySearchInput,
} from "../../../src/node/search/open-memory-search.ts";
import { forgetSearch } from "../../../src/node/search/stored-index.ts";

const TOPIC = "---\nname: birds\ndescription: x\n---\n\nPenguins.\n";

/** A home directory with one topic about a project. */
async function home(): Promise<{ readonly input: OpenMemorySearchInput; readonly file: string }> {
  const directory = await temporaryDirectory();
  await writeFiles(directory, { "app/.git/HEAD": "", "topics/birds.md": TOPIC });
  const input = {
    workspace: join(directory, "app"),
    env: { XDG_DATA_HOME: join(directory, "data"), XDG_STATE_HOME: join(directory, "state") },
    platform: "linux",
    home: directory,
    directory: join(directory, "topics"),
  };
  const name = directory.slice(1).replaceAll(/[^A-Za-z0-9]/g, "-");
  return { input, file: join(directory, "state/caliban/search", `${name}-app.idx`) };
}

describe("openMemorySearch", () => {
  it("finds the topics about the user as another source, only if told to", async () => {
    const { input } = await home();
    const topic = TOPIC.replaceAll("birds", "tabs").replace("Penguins", "Penguins with tabs");
    await writeFiles(input.home ?? "", { "data/caliban/user/memory/tabs.md": topic });
    const addresses = async (userTopics?: boolean): Promise<readonly string[]> => {
      const search = openMemorySearch({ ...input, userTopics });
      const { topics } = await search.search({ query: "penguins" });
      await search.settled();
      return topics.map(({ address }) => address).toSorted();
    };
    const project = "memory://topics/birds";
    expect(await addresses()).toEqual([project]);
    // The stored index is not the one of these sources, and is replaced.
    expect(await addresses(true)).toEqual([project, "memory://user/topics/tabs"]);
    expect(await addresses(true)).toEqual([project, "memory://user/topics/tabs"]);
    expect(await addresses(false)).toEqual([project]);
  });

  it("stores the index, unless told otherwise", async () => {
    const { input, file } = await home();
    for (const isStored of [false, true]) {
      const search = openMemorySearch({ ...input, isStored });
      expect((await search.search({ query: "penguins" })).topics).toHaveLength(1);
      await search.settled();
      expect(existsSync(file)).toBe(isStored);
    }
  });

  it("marks topics whose evidence changed, and shows them after nearly equal ones", async () => {
    const { input } = await home();
    const topics = input.directory ?? "";
    const sha256 = "0".repeat(64);
    const evidence = JSON.stringify([{ path: "src/a.ts", sha256, snippet: "max: 20" }]);
    const withEvidence = TOPIC.replace("name: birds", `name: a\nevidence: ${evidence}`);
    await writeFiles(topics, { "a.md": withEvidence, "b.md": TOPIC });
    await writeFiles(join(topics, "../app"), { "src/a.ts": "max: 20\n" });
    const found = async (): Promise<readonly unknown[]> => {
      const search = openMemorySearch({ ...input, isStored: false });
      const hits = await search.search({ query: "penguins" });
      return hits.topics.map((topic) => [topic.name, topic.evidence]);
    };
    expect(await found()).toContainEqual(["a", "ok"]);
    await writeFiles(join(topics, "../app"), { "src/a.ts": "max: 200\n" });
    const names = await found();
    expect(names).toHaveLength(3);
    expect(names.at(-1)).toEqual(["a", "changed"]);
  });

  it("ignores the evidence of a topic about the user, whose files are elsewhere", async () => {
    const { input } = await home();
    const evidence = JSON.stringify([{ path: "a.ts", sha256: "0".repeat(64), snippet: "max: 20" }]);
    const topic = TOPIC.replace("name: birds", `name: tabs\nevidence: ${evidence}`);
    await writeFiles(input.home ?? "", { "data/caliban/user/memory/tabs.md": topic });
    const search = openMemorySearch({ ...input, userTopics: true, isStored: false });
    const { topics } = await search.search({ query: "penguins" });
    expect(topics.map(({ name, evidence: state }) => [name, state])).toContainEqual([
      "tabs",
      undefined,
    ]);
  });

  it("searches other sources as well, and opens them once", async () => {
    const { input } = await home();
    let opened = 0;
    const document = { id: "more:1#", kind: "section", body: "Penguins swim." } as const;
    const shown = { kind: "section", name: "Birds", address: "a", description: "" } as const;
    const search = openMemorySearch({
      ...input,
      sources: async () => {
        opened++;
        const read = { change: "replace", documents: [document], cursor: "" } as const;
        return [
          {
            name: "more",
            list: async () => [{ key: "1", fingerprint: "1" }],
            read: async () => read,
            show: async () => ({ ...shown, type: undefined, text: "Penguins swim." }),
          },
        ];
      },
    });
    expect(opened).toBe(0);
    const names = (await search.search({ query: "penguins" })).topics.map(({ name }) => name);
    expect(names.toSorted()).toEqual(["Birds", "birds"]);
    await search.search({ query: "penguins" });
    expect(opened).toBe(1);
  });

  it("tries again after a failure", async () => {
    const { input } = await home();
    const { directory, home: userHome } = input;
    const changing = { workspace: input.workspace, env: {}, home: undefined, directory: undefined };
    const search = openMemorySearch(changing);
    await expect(search.search({ query: "penguins" })).rejects.toMatchObject({
      code: "NO_MEMORY_DIRECTORY",
    });
    Object.assign(changing, { home: userHome, directory });
    expect((await search.search({ query: "penguins" })).topics).toHaveLength(1);
  });

  it("finds the note for a message before and after the index was opened, unless it is known", async () => {
    const { input } = await home();
    const search = openMemorySearch({ ...input, isStored: false });
    const note = async (known?: string): Promise<unknown> =>
      (
        await search.note({
          trigger: { kind: "message", text: "what about the birds?" },
          isKnown: (address) => address === known,
          isReadable: () => true,
          nowMs: 0,
        })
      )?.source;
    expect(await note()).toMatchObject({ kind: "topic", slug: "birds" });
    await search.search({ query: "penguins" });
    expect(await note()).toMatchObject({ kind: "topic", slug: "birds" });
    expect(await note("memory://topics/birds")).toBeUndefined();
  });

  it("reads nothing more once the search is stopped", async () => {
    const { input } = await home();
    const search = openMemorySearch({ ...input, isStored: false });
    const first = search.search({ query: "penguins" });
    search.stop();
    await first;
    await writeFiles(input.directory ?? "", { "fish.md": TOPIC });
    expect((await search.search({ query: "penguins" })).searched.topics).toBeLessThan(2);
  });

  it("prepares nothing when it is stopped first", async () => {
    const { input, file } = await home();
    const search = openMemorySearch(input);
    search.prepare();
    search.stop();
    await setTimeout(500);
    expect(existsSync(file)).toBe(false);
  });
});

describe("forgetSearch", () => {
  it("forgetSearch reports an index that cannot be removed", async () => {
    const { input, file } = await home();
    await mkdir(join(file, "../taken.idx/x"), { recursive: true });
    expect(() => forgetSearch(input, "taken")).toThrow(
      /cannot remove the search index .*\(\w+\).*Remove it yourself/,
    );
  });

  it("forgetSearch accepts that no index was stored", () => {
    expect(() => forgetSearch({ env: {} })).not.toThrow();
    expect(() => forgetSearch({ env: {}, home: "/nonexistent" })).not.toThrow();
  });
});
