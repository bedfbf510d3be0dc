import type { PermissionPolicy, PolicyRule } from "@caliban/agent-core";
import { createMapTopicStore } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { createPathRedactor, openMemory } from "../../src/serve/open-memory.ts";
import { readResource } from "../../src/serve/resources/read-resource.ts";
import { listResources, resourceTemplates } from "../../src/serve/resources/resource-list.ts";
import { describeMemory, type ServedMemory } from "../../src/serve/served-memory.ts";

const RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

function open(rules: Partial<PermissionPolicy>): ServedMemory {
  const topic = "---\nname: private\ndescription: d\n---\n\nHidden.\n";
  const store = createMapTopicStore({ files: { "private.md": topic } });
  return openMemory({ store, policy: { ...RULES, ...rules }, report: () => undefined }).memory;
}

const rule = (name: string, subject?: string): PolicyRule => ({
  name,
  text: name,
  subject,
  source: "test",
});

const TABS = "---\nname: tabs\ndescription: prefers tabs\n---\n\nTabs.\n";

describe("memory about the user over MCP", () => {
  const openBoth = (rules: Partial<PermissionPolicy> = {}): ServedMemory =>
    openMemory({
      store: createMapTopicStore(),
      userScope: { store: createMapTopicStore({ scope: "user", files: { "tabs.md": TABS } }) },
      policy: { ...RULES, ...rules },
      report: () => undefined,
    }).memory;

  it("clients get resources, a template and a scope of the tools", async () => {
    const memory = openBoth();
    const resources = await listResources(memory);
    expect(resources.map(({ uri }) => uri)).toEqual([
      "memory://index",
      "memory://user/index",
      "memory://user/topics/tabs",
    ]);
    expect(resourceTemplates(memory).map(({ uriTemplate }) => uriTemplate)).toContain(
      "memory://user/topics/{slug}",
    );
    expect(await readResource("memory://user/topics/tabs", memory)).toBe(TABS);
    const { run } = memory.createRunner("mcp:test");
    const read = await run({ name: "ReadMemoryTopic", input: { name: "tabs", scope: "user" } });
    expect(read.text).toContain("Tabs.");
  });

  it("clients cannot write it, because the user's words are not known", async () => {
    const { run } = openBoth().createRunner("mcp:test");
    const topic = { name: "new", description: "Tabs", type: "user", body: "Tabs.", scope: "user" };
    const result = await run({ name: "WriteMemoryTopic", input: topic });
    expect(result).toMatchObject({ isError: true, data: { code: "NOT_USER_WORDS" } });
  });

  it("the same rules hide it", async () => {
    const memory = openBoth({ deny: [rule("memory.read", "tab*")] });
    expect((await listResources(memory)).map(({ uri }) => uri)).toEqual(["memory://index"]);
    await expect(readResource("memory://user/topics/tabs", memory)).rejects.toMatchObject({
      code: -32_003,
    });
  });

  it("clients see no change when it is off", async () => {
    const memory = open({});
    expect(resourceTemplates(memory)).toHaveLength(2);
    expect(JSON.stringify(memory.tools)).not.toContain("scope");
  });
});

describe("openMemory", () => {
  it.for([
    ["memory://topics/private"],
    ["memory://topics/PRIVATE"],
    ["memory://topics/%70rivate"],
    ["memory://topics/./private"],
    ["memory://topics//private"],
  ] as const)("refuses a denied address that is spelled %s", async ([uri]) => {
    for (const rules of [
      { deny: [rule("Read", "memory://topics/private")] },
      { deny: [rule("memory.read", "priv*")] },
      { deny: [rule("memory.read")] },
    ])
      await expect(readResource(uri, open(rules))).rejects.toMatchObject({
        code: -32_003,
        message: `cannot read ${uri}: denied by a permission rule of the user's`,
      });
  });

  it.for([rule("Read", "memory://topics/*"), rule("memory.read", "priv*"), rule("memory.read")])(
    "denies what $name asks about, because no one can be asked",
    async (ask) => {
      const read = readResource("memory://topics/private", open({ ask: [ask] }));
      await expect(read).rejects.toMatchObject({ code: -32_003 });
    },
  );

  it("records no tools as the source of a topic, because those of a client are unknown", async () => {
    const memory = open({});
    const { run } = memory.createRunner("s-1");
    await run({ name: "MemorySearch", input: { query: "x" } });
    const topic = { name: "deploy", description: "d", type: "project", body: "b" };
    await run({ name: "WriteMemoryTopic", input: topic });
    const read = await run({ name: "ReadMemoryTopic", input: { name: "deploy" } });
    expect(read.data).toMatchObject({ slug: "deploy", after: [] });
  });

  it("describes what is served, and what clients may do", async () => {
    expect(await describeMemory(open({}))).toBe("1 topic, clients may read and write");
    const readOnly = open({ deny: [rule("memory.write")] });
    expect(await describeMemory(readOnly)).toBe("1 topic, read-only");
    const noSearch = open({ deny: [rule("MemorySearch")] });
    expect(await describeMemory(noSearch)).toBe("1 topic, your rules deny MemorySearch");
    const { memory: off } = openMemory({ offBy: "--bare", report: () => undefined });
    expect(await describeMemory(off)).toContain("turned off by --bare.");
  });

  it.for([
    [undefined, 1],
    ["--read-only", 0],
  ] as const)(
    "creates the index once with the first call of a tool, if clients may write (%s)",
    async ([readOnlyBy, times]) => {
      let created = 0;
      const bootstrap = async (): Promise<void> => void (created += 1);
      const store = { ...createMapTopicStore(), bootstrap };
      const { memory } = openMemory({ store, readOnlyBy, report: () => undefined });
      await readResource("memory://index", memory);
      expect(created).toBe(0);
      const { run } = memory.createRunner("mcp:test");
      await run({ name: "ReadMemoryTopic", input: { name: "a" } });
      await run({ name: "ReadMemoryTopic", input: { name: "b" } });
      expect(created).toBe(times);
    },
  );
});

it("replaces known paths by their names, inner directories first", () => {
  const redact = createPathRedactor([
    { name: "home", path: "/home/me" },
    { name: "notes", path: "/home/me/notes" },
    { name: "none", path: undefined },
  ]);
  expect(redact("/home/me/notes/a.md and /home/me/b, /etc/c")).toBe(
    "<notes>/a.md and <home>/b, /etc/c",
  );
});
