import { createHash } from "node:crypto";
import { createToolRunner, parsePermissionRule, type PolicyRule } from "@caliban/agent-core";
import { createMapTopicStore } from "@caliban/memory";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMcpTools } from "../../src/mcp/mcp-tools.ts";
import { createMemoryTools } from "../../src/memory/memory-tools.ts";
import { workspaceTools } from "../support/workspace-tools.ts";

const TOPIC = { name: "pnpm", description: "we use pnpm", type: "project", body: "Never npm." };

async function connected(deny: readonly string[] = []): Promise<Client> {
  const store = createMapTopicStore({
    sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
    now: () => 0,
    findSecrets: async () => [],
  });
  const tools = createMemoryTools({ store, now: () => 0 });
  const policy = { allow: [], ask: [], deny: deny.flatMap(ruleOf), mode: "default" } as const;
  const { run } = createToolRunner({ tools, policy, notify: () => undefined });
  const mcp = createMcpTools(tools, run);
  const server = new Server({ name: "memory", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => mcp.list());
  server.setRequestHandler("tools/call", ({ params }, { mcpReq: { signal } }) =>
    mcp.call(params, signal),
  );
  const client = new Client({ name: "test", version: "1.0.0" });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  onTestFinished(() => client.close());
  return client;
}

function ruleOf(text: string): readonly PolicyRule[] {
  const parsed = parsePermissionRule(text);
  return "rule" in parsed ? [{ ...parsed.rule, source: "test" }] : [];
}

describe("the memory tools over MCP", () => {
  it("lists the memory tools over MCP with schemas and annotations", async () => {
    const { tools } = await (await connected()).listTools();
    expect(
      tools.map(({ name, annotations }) => [
        name,
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
        annotations?.idempotentHint,
      ]),
    ).toEqual([
      ["ReadMemoryTopic", true, false, true],
      ["WriteMemoryTopic", false, true, true],
      ["DeleteMemoryTopic", false, true, true],
      ["MemorySearch", true, false, true],
    ]);
    expect(tools[0]?.annotations?.title).toBe("Read Memory Topic");
    expect(tools[1]?.inputSchema["required"]).toEqual(["name", "description", "type", "body"]);
    expect(tools[1]?.outputSchema?.["required"]).toEqual(["slug", "isNew", "hash", "indexLine"]);
  });

  it("runs memory tools over MCP, and returns a refusal as an error result", async () => {
    const client = await connected();
    const written = await client.callTool({ name: "WriteMemoryTopic", arguments: TOPIC });
    expect(written).toMatchObject({ structuredContent: { slug: "pnpm", isNew: true } });
    const again = await client.callTool({ name: "WriteMemoryTopic", arguments: TOPIC });
    expect(again).toMatchObject({ isError: true });
    expect(JSON.stringify(again.content)).toContain("if_match");
    const unknown = await client.callTool({ name: "ReadMemory", arguments: {} });
    expect(unknown).toMatchObject({ isError: true });
  });

  it("returns structured results that pass the validation of an MCP client", async () => {
    const client = await connected();
    // From here on, the client validates every result against the schema.
    await client.listTools();
    const call = async (name: string, input: Record<string, unknown>): Promise<unknown> =>
      (await client.callTool({ name, arguments: input })).structuredContent;
    const written = await call("WriteMemoryTopic", TOPIC);
    expect(written).toMatchObject({ slug: "pnpm", isNew: true });
    expect(await call("ReadMemoryTopic", { name: "pnpm" })).toMatchObject({ body: "Never npm." });
    expect(await call("MemorySearch", { query: "pnpm" })).toMatchObject({
      topics: [{ name: "pnpm", kind: "topic" }],
    });
    const { hash } = written as { readonly hash: string };
    expect(await call("DeleteMemoryTopic", { name: "pnpm", if_match: hash })).toEqual({
      slug: "pnpm",
      change: expect.any(String),
    });
    expect(await call("ReadMemoryTopic", { name: "pnpm" })).toBeUndefined();
  });

  it("applies permission rules to calls over MCP", async () => {
    const client = await connected(["memory.write"]);
    const denied = await client.callTool({ name: "WriteMemoryTopic", arguments: TOPIC });
    expect(denied).toMatchObject({ isError: true });
    expect(JSON.stringify(denied.content)).toContain("memory.write");
  });
});

describe("the file tools over MCP", () => {
  it("annotates the file tools as destructive, and commands and WebFetch as open-world", async () => {
    const { tools } = await workspaceTools();
    const listed = createMcpTools(tools, () => Promise.reject(new Error("none is called"))).list();
    expect(
      listed.tools.map(({ name, annotations }) => [
        name,
        annotations.readOnlyHint,
        annotations.destructiveHint,
        annotations.idempotentHint,
        annotations.openWorldHint,
      ]),
    ).toEqual([
      ["Read", true, false, true, false],
      ["Write", false, true, false, false],
      ["Edit", false, true, false, false],
      ["Bash", false, true, false, true],
      ["BashOutput", true, false, true, true],
      ["Grep", true, false, true, false],
      ["Glob", true, false, true, false],
      ["WebFetch", true, false, true, true],
    ]);
  });
});

it("gives tools with a prefix a readable title over MCP", () => {
  const tools = createMemoryTools({
    store: createMapTopicStore({ scope: "user" }),
    prefix: "user_",
  });
  const { run } = createToolRunner({ tools });
  const titles = createMcpTools(tools, run)
    .list()
    .tools.map(({ title }) => title);
  expect(titles[0]).toBe("user Read Memory Topic");
});
