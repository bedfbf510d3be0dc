import { createToolRunner, type Notice, type ToolResult } from "@caliban/agent-core";
import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import type { MemoryToolsInput } from "../../src/memory/memory-tool.ts";
import { createMemoryTools } from "../../src/memory/memory-tools.ts";
import { policyWith } from "../support/rules.ts";

const TOPIC = { name: "editor", description: "uses vim", type: "user", body: "Vim, dark." };

describe("memory tools with a prefix", () => {
  it("lets one agent use two stores", async () => {
    const [project, user] = [createMapTopicStore(), createMapTopicStore({ scope: "user" })];
    const tools = [
      ...createMemoryTools({ store: project }),
      ...createMemoryTools({ store: user, prefix: "user_" }),
    ];
    const { run } = createToolRunner({ tools });
    await run({ name: "user_WriteMemoryTopic", input: TOPIC });
    expect(await slugs(project)).toEqual([]);
    expect(await slugs(user)).toEqual(["editor"]);
  });

  it("says in every description which memory it is", () => {
    const descriptionsOf = (input: MemoryToolsInput): readonly string[] =>
      createMemoryTools(input).map(({ description }) => description);
    const store = createMapTopicStore();
    for (const text of descriptionsOf({ store })) expect(text).not.toContain("This is the memory");
    for (const text of descriptionsOf({ store, prefix: "p_" }))
      expect(text).toMatch(/ This is the memory of the project\.$/);
    for (const text of descriptionsOf({ store: createMapTopicStore({ scope: "user" }) }))
      expect(text).toMatch(/ This is the memory of the user, for all projects\.$/);
  });

  it("names no tool without the prefix, in schemas and in results", async () => {
    const store = createMapTopicStore({ scope: "user" });
    const tools = createMemoryTools({ store, prefix: "user_" });
    const { run } = createToolRunner({ tools });
    const call = (name: string, input: unknown): Promise<ToolResult> =>
      run({ name: `user_${name}`, input });
    const results = [
      await call("WriteMemoryTopic", { ...TOPIC, if_match: "v9" }),
      await call("WriteMemoryTopic", TOPIC),
      await call("WriteMemoryTopic", TOPIC),
      await call("ReadMemoryTopic", { name: "other" }),
      await call("ReadMemoryTopic", {}),
      await call("MemorySearch", { query: "vim" }),
      await call("MemorySearch", { query: "vim", since: "yesterday" }),
    ];
    const texts = JSON.stringify([tools, results]);
    expect(texts).toContain("user_MemorySearch");
    expect(texts).toContain("user_ReadMemoryTopic");
    expect(texts).not.toMatch(
      /(?<!user_)\b(?:ReadMemoryTopic|WriteMemoryTopic|DeleteMemoryTopic|MemorySearch)\b/,
    );
  });

  it("applies rules that name a tool with its prefix", async () => {
    const store = createMapTopicStore({ scope: "user" });
    const policy = policyWith({ deny: ["user_ReadMemoryTopic(edi*)"] });
    const tools = createMemoryTools({ store, prefix: "user_", policy });
    const { run } = createToolRunner({ tools, policy });
    await run({ name: "user_WriteMemoryTopic", input: TOPIC });
    const read = await run({ name: "user_ReadMemoryTopic", input: { name: "editor" } });
    const found = await run({ name: "user_MemorySearch", input: { query: "vim" } });
    expect(read.isError).toBe(true);
    expect(found.text).toContain("1 matching topic is not shown");
  });

  it.for(["1st_", "a b", "übung_", "x".repeat(41)])(
    "rejects the prefix %j, which no provider accepts",
    (prefix) => {
      expect(() => createMemoryTools({ store: createMapTopicStore(), prefix })).toThrow(
        /invalid prefix .* use 1 to 40 letters/,
      );
    },
  );
});

describe("the author and the undo hint of memory tools", () => {
  it("records the agent and the user", async () => {
    const store = createMapTopicStore();
    const tools = createMemoryTools({ store, agent: "support", user: "u-7" });
    await createToolRunner({ tools, session: "s-1" }).run({
      name: "WriteMemoryTopic",
      input: TOPIC,
    });
    const [change] = await store.log();
    expect(change).toMatchObject({ who: "agent", agent: "support", user: "u-7", session: "s-1" });
  });

  it("names no command to undo a deletion unless the program passes one", async () => {
    const { text, notice, description } = await deleted({});
    expect(text).toBe("Deleted editor (uses vim).");
    expect(notice).toBe("memory: deleted editor");
    expect(description).not.toContain("undo");
  });

  it("passes on how to undo a deletion", async () => {
    const { text, notice, description } = await deleted({ undoHint: (id) => `undo ${id}` });
    expect(text).toMatch(/\. The user can undo this with: undo \w+$/);
    expect(notice).toMatch(/^memory: deleted editor \(undo \w+\)$/);
    expect(description).toContain("The user can undo this.");
  });
});

async function deleted(options: Omit<MemoryToolsInput, "store">) {
  const store = createMapTopicStore();
  const notices: Notice[] = [];
  const tools = createMemoryTools({ store, ...options });
  const { run } = createToolRunner({ tools, notify: (notice) => void notices.push(notice) });
  await run({ name: "WriteMemoryTopic", input: TOPIC });
  const if_match = (await store.read("editor"))?.hash;
  const { text } = await run({ name: "DeleteMemoryTopic", input: { name: "editor", if_match } });
  const description = tools.find(({ name }) => name === "DeleteMemoryTopic")?.description;
  return { text, notice: notices.at(-1)?.message, description };
}

async function slugs(store: TopicStore): Promise<readonly string[]> {
  return (await store.list()).topics.map(({ slug }) => slug);
}
