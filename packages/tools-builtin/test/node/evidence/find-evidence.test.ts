import { createHash } from "node:crypto";
import { createToolRunner, type PermissionPolicy, type ToolRunner } from "@caliban/agent-core";
import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { createMemoryTools } from "../../../src/memory/memory-tools.ts";
import { openFileTools } from "../../../src/node/file-tools.ts";
import { quotedSnippet } from "../../../src/node/evidence/quoted-snippet.ts";

const POOL = "export const pool = createPool({\n\tmax: 20,\n\tidleTimeout: 5_000,\n});\n";

interface Session extends Pick<ToolRunner, "run"> {
  readonly store: TopicStore;
  readonly root: string;
}

async function session(
  files: Readonly<Record<string, string>>,
  policy: PermissionPolicy = {
    allow: ["fs", "memory"].map(rule),
    ask: [],
    deny: [],
    mode: "default",
  },
): Promise<Session> {
  const root = await temporaryDirectory();
  await writeFiles(root, files);
  const store = createMapTopicStore();
  const { tools, findEvidence } = openFileTools({ root, env: {}, policy });
  const memoryTools = createMemoryTools({ store, findEvidence });
  const runner = createToolRunner({ tools: [...tools, ...memoryTools], policy });
  return { store, root, run: runner.run };
}

function rule(name: string): PermissionPolicy["allow"][number] {
  return { text: name, name, source: "test" };
}

const read = (path: string) => ({ name: "Read", input: { file_path: path } });
const save = (body: string) => ({
  name: "WriteMemoryTopic",
  input: { name: "pool", description: "size of the pool", type: "project", body },
});

describe("evidence of a topic", () => {
  it("records the line of a file that was read and that the topic quotes", async () => {
    const { store, run } = await session({ "src/db/pool.ts": POOL, "src/other.ts": "max: 20\n" });
    await run(read("src/db/pool.ts"));
    await run(save("The pool in src/db/pool.ts has max: 20 connections."));
    const { topic } = (await store.read("pool")) ?? {};
    const sha256 = createHash("sha256").update(POOL).digest("hex");
    expect(topic?.evidence).toEqual([{ path: "src/db/pool.ts", sha256, snippet: "max: 20," }]);
    expect(topic?.applies).toEqual({ paths: ["src/db/pool.ts"], commands: [] });
  });

  it("tells the model what a new topic applies to, and accepts its correction", async () => {
    const { store, run } = await session({ "src/db/pool.ts": POOL });
    await run(read("src/db/pool.ts"));
    const { text } = await run(save("pool.ts is capped."));
    expect(text).toContain("It applies to src/db/pool.ts.");
    const hash = (await store.read("pool"))?.hash;
    const call = save("pool.ts is capped.");
    const applies = { commands: ["pnpm migrate*"] };
    const input = { ...call.input, applies, supersedes: ["old-pool"], if_match: hash };
    await run({ ...call, input });
    const { topic } = (await store.read("pool")) ?? {};
    expect(topic).toMatchObject({ applies: { paths: [], ...applies }, supersedes: ["old-pool"] });
    const { text: shown } = await run({ name: "ReadMemoryTopic", input: { name: "pool" } });
    expect(shown).toContain("applies to: pnpm migrate*\nsupersedes: old-pool\n");
  });

  it("records nothing of a file that changed since, is denied, or holds settings of the machine", async () => {
    const deny = [{ ...rule("Grep"), subject: "private/*" }];
    const policy = { allow: ["fs", "memory"].map(rule), ask: [], deny, mode: "default" } as const;
    const files = { "a.ts": POOL, "private/b.ts": POOL, ".env": "MAX_POOL_SIZE=20\n" };
    const { store, root, run } = await session(files, policy);
    for (const path of Object.keys(files)) await run(read(path));
    await writeFiles(root, { "a.ts": `${POOL}\n` });
    await run(save("a.ts, private/b.ts: max: 20; `MAX_POOL_SIZE=20` in .env"));
    expect((await store.read("pool"))?.topic.evidence).toBeUndefined();
  });

  it("records no line that contains a secret", async () => {
    const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;
    const { store, run } = await session({ "deploy.ts": `const deployToken = "${secret}";\n` });
    await run(read("deploy.ts"));
    await run(save("deploy.ts defines deployToken."));
    expect((await store.read("pool"))?.topic).toMatchObject({
      body: "deploy.ts defines deployToken.",
    });
    expect((await store.read("pool"))?.topic.evidence).toBeUndefined();
  });
});

describe("quotedSnippet", () => {
  it.for([
    ["max: 20 in pool.ts", "max: 20,"],
    ["The idleTimeout in pool.ts is short.", "idleTimeout: 5_000,"],
    ["The size is `max: 20, idle` here.", undefined],
    ["The timeout is `idleTimeout: 5_000`.", "idleTimeout: 5_000,"],
    ["createPool is slow.", undefined],
    ["pool.ts is slow.", undefined],
    ["Nothing in particular.", undefined],
  ] as const)("finds for %j the line %j", ([text, line]) => {
    expect(quotedSnippet(text, { path: "src/pool.ts", content: POOL })).toBe(line);
  });

  it("cuts a long line, and ignores an endless one", () => {
    const long = `${"x ".repeat(150)}maxPoolSize = 20 ${"y ".repeat(150)}`;
    const text = "maxPoolSize = 20 in a.ts";
    const snippet = quotedSnippet(text, { path: "a.ts", content: long });
    expect(snippet?.startsWith("maxPoolSize = 20")).toBe(true);
    expect(snippet).toMatch(/^.{20,200}$/);
    expect(long).toContain(snippet);
    const endless = long.repeat(10);
    expect(quotedSnippet(text, { path: "a.ts", content: endless })).toBeUndefined();
  });
});
