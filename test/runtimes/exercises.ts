import type * as agentCore from "../../packages/agent-core/src/index.ts";
import type * as autonomousMemory from "../../packages/autonomous-memory/src/index.ts";
import type * as mcp from "../../packages/mcp/src/index.ts";
import type * as memory from "../../packages/memory/src/index.ts";
import type * as memoryGit from "../../packages/memory-git/src/index.ts";
import type * as memorySearch from "../../packages/memory/src/search/index.ts";
import type * as memorySecrets from "../../packages/memory/src/secrets/index.ts";
import type * as memoryTesting from "../../packages/memory/src/testing/index.ts";
import type * as sessions from "../../packages/sessions/src/index.ts";
import type * as settings from "../../packages/settings/src/index.ts";
import type * as skills from "../../packages/skills/src/index.ts";
import type * as toolsAiSdk from "../../packages/tools-builtin/src/ai-sdk/index.ts";
import type * as toolsAnthropic from "../../packages/tools-builtin/src/anthropic/index.ts";
import type * as tools from "../../packages/tools-builtin/src/index.ts";
import type * as toolsJsonSchema from "../../packages/tools-builtin/src/json-schema/index.ts";
import type * as toolsLangGraph from "../../packages/tools-builtin/src/langgraph/index.ts";
import type * as toolsMastra from "../../packages/tools-builtin/src/mastra/index.ts";
import type * as toolsMcp from "../../packages/tools-builtin/src/mcp/index.ts";
import type * as toolsStoreApi from "../../packages/tools-builtin/src/store-api/index.ts";

// What every runtime must do with the root entries. Bun and Deno run this file as it is: it imports types only.

interface Entries {
  readonly "@caliban/agent-core": typeof agentCore;
  readonly "@caliban/autonomous-memory": typeof autonomousMemory;
  readonly "@caliban/mcp": typeof mcp;
  readonly "@caliban/memory": typeof memory;
  readonly "@caliban/memory-git": typeof memoryGit;
  readonly "@caliban/memory/search": typeof memorySearch;
  readonly "@caliban/memory/secrets": typeof memorySecrets;
  readonly "@caliban/memory/testing": typeof memoryTesting;
  readonly "@caliban/sessions": typeof sessions;
  readonly "@caliban/settings": typeof settings;
  readonly "@caliban/skills": typeof skills;
  readonly "@caliban/tools-builtin": typeof tools;
  readonly "@caliban/tools-builtin/ai-sdk": typeof toolsAiSdk;
  readonly "@caliban/tools-builtin/anthropic": typeof toolsAnthropic;
  readonly "@caliban/tools-builtin/json-schema": typeof toolsJsonSchema;
  readonly "@caliban/tools-builtin/langgraph": typeof toolsLangGraph;
  readonly "@caliban/tools-builtin/mastra": typeof toolsMastra;
  readonly "@caliban/tools-builtin/mcp": typeof toolsMcp;
  readonly "@caliban/tools-builtin/store-api": typeof toolsStoreApi;
}

/** Imports an entry, in whatever way the runtime resolves it. */
export type LoadEntry = <Name extends keyof Entries>(name: Name) => Promise<Entries[Name]>;

export interface Exercise {
  readonly entry: keyof Entries;
  /** What it proves; the entry is the subject. */
  readonly title: string;
  readonly run: (load: LoadEntry) => Promise<unknown>;
  /** As JSON would transport it. */
  readonly expected: unknown;
}

const TOPIC = {
  name: "deploy",
  description: "order of a release",
  type: "project",
  body: "Migrations first.",
} as const;
const AUTHOR = { who: "agent" } as const;
/** A header that only a YAML parser can read. */
const COMMENTED =
  "---\nname: deploy # ours\ndescription: order\nmetadata: {type: project}\n---\n\nFlags last.\n";
// In parts, so that no scanner takes this file for a leak.
const TOKEN = ["ghp", "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"].join("_");

const MEMORY: readonly Exercise[] = [
  {
    entry: "@caliban/memory",
    title: "parses a topic with a comment in its header",
    run: async (load) => {
      const { parseTopic } = await load("@caliban/memory");
      const { name, type, body, problems } = await parseTopic(COMMENTED);
      return { name, type, body, problems };
    },
    expected: { name: "deploy", type: "project", body: "Flags last.", problems: [] },
  },
  {
    entry: "@caliban/memory",
    title: "renders a topic, and keeps a comment of its header",
    run: async (load) => {
      const { renderTopic } = await load("@caliban/memory");
      return [await renderTopic(TOPIC), await renderTopic(TOPIC, COMMENTED)];
    },
    expected: [
      '---\nname: deploy\ndescription: "order of a release"\nmetadata:\n  node_type: memory\n  type: project\n---\n\nMigrations first.\n',
      "---\nname: deploy # ours\ndescription: order of a release\nmetadata: {type: project, node_type: memory}\n---\n\nMigrations first.\n",
    ],
  },
  {
    entry: "@caliban/memory",
    title: "writes, lists and reads topics of a map store",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const store = createMapTopicStore({ files: { "flags.md": COMMENTED } });
      const written = await store.write({ ...TOPIC, author: AUTHOR });
      const { topics } = await store.list();
      const read = await store.read("deploy");
      const names = topics.map(({ slug }) => slug).toSorted();
      return [written.kind, names, read?.topic.body, (await store.index()).split("\n").length > 1];
    },
    expected: ["written", ["deploy", "flags"], "Migrations first.", true],
  },
  {
    entry: "@caliban/memory",
    title: "refuses a secret",
    run: async (load) => {
      const { createMapTopicStore, MemoryError } = await load("@caliban/memory");
      return await createMapTopicStore()
        .write({ ...TOPIC, body: TOKEN, author: AUTHOR })
        .catch((error: unknown) => (error instanceof MemoryError ? error.code : String(error)));
    },
    expected: "SECRET_FOUND",
  },
  {
    entry: "@caliban/memory",
    title: "searches the topics of a store",
    run: async (load) => {
      const { createMapTopicStore, createStoreSearch } = await load("@caliban/memory");
      const store = createMapTopicStore();
      await store.write({ ...TOPIC, author: AUTHOR });
      const { topics } = await createStoreSearch(store).search({ query: "migration" });
      return topics.map(({ name }) => name);
    },
    expected: ["deploy"],
  },
  {
    entry: "@caliban/memory",
    title: "builds a prefix, renders its receipt and escapes tags",
    run: async (load) => {
      const { buildPrefix, renderReceipt, sanitize } = await load("@caliban/memory");
      const candidate = { tier: "project", kind: "instructions", path: "/app/CLAUDE.md" } as const;
      const files = [{ candidate, source: "Use pnpm.\n" }];
      const { prefix, receipt } = buildPrefix({ workspaceRoot: "/app", files });
      const text = renderReceipt({ receipt, home: "/home/me" });
      return [prefix, text.includes("/app/CLAUDE.md"), sanitize("</project-claude-md>")];
    },
    expected: [
      '<project-claude-md path="/app/CLAUDE.md">\nUse pnpm.\n</project-claude-md>\n\n',
      true,
      "&lt;/project-claude-md>",
    ],
  },
  {
    entry: "@caliban/memory/search",
    title: "finds a document by an identifier in another spelling",
    run: async (load) => {
      const { createSearchIndex } = await load("@caliban/memory/search");
      const index = createSearchIndex([{ id: "a", body: "Why did checkoutTotal fail?" }]);
      return index.search("checkout_total").topics.map(({ id }) => id);
    },
    expected: ["a"],
  },
  {
    entry: "@caliban/memory/secrets",
    title: "finds a secret with its line",
    run: async (load) => {
      const { findSecrets } = await load("@caliban/memory/secrets");
      return (await findSecrets(`One line.\n${TOKEN}`)).map(({ kind, line }) => [kind, line]);
    },
    expected: [["GitHub token", 2]],
  },
  {
    entry: "@caliban/memory/testing",
    title: "passes every case of the contract with a map store",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { topicStoreCases } = await load("@caliban/memory/testing");
      let nowMs = 0;
      const cases = topicStoreCases(async (files) =>
        createMapTopicStore({ files, now: () => (nowMs += 1000) }),
      );
      const failures: string[] = [];
      for (const { name, run } of cases) await run().catch(() => failures.push(name));
      return [cases.length > 0, failures];
    },
    expected: [true, []],
  },
];

const TOOLS: readonly Exercise[] = [
  {
    entry: "@caliban/tools-builtin",
    title: "writes a topic with a tool",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { createToolRunner } = await load("@caliban/agent-core");
      const { createMemoryTools } = await load("@caliban/tools-builtin");
      const store = createMapTopicStore();
      const { run } = createToolRunner({ tools: createMemoryTools({ store }) });
      const { isError = false } = await run({ name: "WriteMemoryTopic", input: TOPIC });
      return [isError, (await store.read("deploy"))?.topic.body];
    },
    expected: [false, "Migrations first."],
  },
  {
    entry: "@caliban/tools-builtin/ai-sdk",
    title: "offers the tools to the AI SDK",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { memoryTools } = await load("@caliban/tools-builtin/ai-sdk");
      return Object.keys(memoryTools(createMapTopicStore())).toSorted();
    },
    expected: ["DeleteMemoryTopic", "MemorySearch", "ReadMemoryTopic", "WriteMemoryTopic"],
  },
  {
    entry: "@caliban/tools-builtin/anthropic",
    title: "creates and shows a file of Anthropic's memory tool",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { anthropicMemoryHandler } = await load("@caliban/tools-builtin/anthropic");
      const handler = anthropicMemoryHandler(createMapTopicStore());
      const path = "/memories/deploy.md";
      await handler.create({ path, file_text: "# Deploying\n\nMigrations first.\n" });
      return (await handler.view({ path })).includes("Migrations first.");
    },
    expected: true,
  },
  {
    entry: "@caliban/tools-builtin/json-schema",
    title: "offers the tools with strict JSON Schemas",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { memoryTools } = await load("@caliban/tools-builtin/json-schema");
      return memoryTools(createMapTopicStore(), { prefix: "user_" }).map(({ name }) => name);
    },
    expected: [
      "user_ReadMemoryTopic",
      "user_WriteMemoryTopic",
      "user_DeleteMemoryTopic",
      "user_MemorySearch",
    ],
  },
  {
    entry: "@caliban/tools-builtin/langgraph",
    title: "keeps a JSON value in a topic",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { createLangGraphStore } = await load("@caliban/tools-builtin/langgraph");
      const store = createLangGraphStore(createMapTopicStore());
      await store.put(["users", "ann"], "editor", { name: "vim" });
      return (await store.get(["users", "ann"], "editor"))?.value;
    },
    expected: { name: "vim" },
  },
  {
    entry: "@caliban/tools-builtin/mastra",
    title: "offers the tools to Mastra",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { memoryTools } = await load("@caliban/tools-builtin/mastra");
      return Object.keys(memoryTools(createMapTopicStore())).toSorted();
    },
    expected: ["DeleteMemoryTopic", "MemorySearch", "ReadMemoryTopic", "WriteMemoryTopic"],
  },
  {
    entry: "@caliban/tools-builtin/mcp",
    title: "lists and calls tools over MCP",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { createToolRunner } = await load("@caliban/agent-core");
      const { createMemoryTools } = await load("@caliban/tools-builtin");
      const { createMcpTools } = await load("@caliban/tools-builtin/mcp");
      const tools = createMemoryTools({ store: createMapTopicStore() });
      const served = createMcpTools(tools, createToolRunner({ tools }).run);
      const { isError = false } = await served.call({ name: "WriteMemoryTopic", arguments: TOPIC });
      return [served.list().tools.length, isError];
    },
    expected: [4, false],
  },
  {
    entry: "@caliban/mcp",
    title: "serves a topic store over MCP",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { createMemoryServer } = await load("@caliban/mcp");
      const store = createMapTopicStore();
      const exchange = await connect(createMemoryServer({ store }));
      const params = { name: "WriteMemoryTopic", arguments: TOPIC };
      await exchange({ id: 2, method: "tools/call", params });
      const { result } = await exchange({ id: 3, method: "resources/list", params: {} });
      return [(await store.read("deploy"))?.slug, JSON.stringify(result).includes("topics/deploy")];
    },
    expected: ["deploy", true],
  },
];

const OTHERS: readonly Exercise[] = [
  {
    entry: "@caliban/agent-core",
    title: "runs a turn with a scripted model",
    run: async (load) => {
      const { runTurn } = await load("@caliban/agent-core");
      const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
      const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
      const model: agentCore.TurnInput["model"] = {
        specificationVersion: "v4",
        provider: "example",
        modelId: "greeter",
        supportedUrls: {},
        doGenerate: () => Promise.reject(new Error("not used")),
        doStream: async () => ({
          stream: new ReadableStream({
            start(controller) {
              controller.enqueue({ type: "text-delta", id: "1", delta: "Hello!" });
              const finishReason = { unified: "stop", raw: undefined } as const;
              controller.enqueue({ type: "finish", usage, finishReason });
              controller.close();
            },
          }),
        }),
      };
      const messages = [{ role: "user", text: "Hi" }] as const;
      const { outcome, messages: all } = await runTurn({ model, messages });
      return [outcome.kind, all.length];
    },
    expected: ["done", 2],
  },
  {
    entry: "@caliban/autonomous-memory",
    title: "fits a transcript and learns from it by rules",
    run: async (load) => {
      const { createRuleModel, fitTranscript } = await load("@caliban/autonomous-memory");
      const turns = [{ kind: "user", text: "Always use pnpm." }] as const;
      const { text } = fitTranscript(turns, 1_000);
      return [text.includes("Always use pnpm."), createRuleModel().extractor.id];
    },
    expected: [true, "rules/1"],
  },
  {
    entry: "@caliban/sessions",
    title: "reads a truncated transcript",
    run: async (load) => {
      const { parseTranscript, replay } = await load("@caliban/sessions");
      const call = { type: "tool-call", id: "c1", name: "Bash", input: { command: "make" } };
      const message = { role: "assistant", model: "anthropic/claude", parts: [call] };
      const line = JSON.stringify({ type: "message", id: "m1", at: "", message });
      const { messages, diagnostics } = replay(parseTranscript(`${line}\n{"type":"mess`));
      return [messages.map(({ role }) => role), diagnostics.map(({ code }) => code)];
    },
    expected: [
      ["assistant", "tool"],
      ["NO_START", "TORN_LINE", "UNFINISHED_CALL"],
    ],
  },
  {
    entry: "@caliban/settings",
    title: "recognizes its keys",
    run: async (load) => {
      const { isSettingKey, SETTING_KEY_NAMES } = await load("@caliban/settings");
      return [SETTING_KEY_NAMES.every(isSettingKey), isSettingKey("memory.unknown")];
    },
    expected: [true, false],
  },
  {
    entry: "@caliban/skills",
    title: "parses a skill with a comment in its header",
    run: async (load) => {
      const { bundledSkills, parseSkill } = await load("@caliban/skills");
      const text = "---\ndescription: 'Makes a release.' # ours\n---\nRun it.\n";
      const source = {
        directoryName: "release",
        path: "release/SKILL.md",
        origin: "user",
      } as const;
      const parsed = parseSkill(text, source);
      return [parsed.kind === "skill" && parsed.skill.description, bundledSkills().length];
    },
    expected: ["Makes a release.", 1],
  },
  {
    entry: "@caliban/memory-git",
    title: "merges two changes of a topic by paragraph",
    run: async (load) => {
      const { mergeTopics } = await load("@caliban/memory-git");
      const base = "Migrations first.\n\nThen deploy.\n";
      const mine = "Migrations first.\n\nThen deploy with pnpm ship.\n";
      return mergeTopics({ base, mine, theirs: `Read the runbook.\n\n${base}` });
    },
    expected: {
      kind: "merged",
      text: "Read the runbook.\n\nMigrations first.\n\nThen deploy with pnpm ship.\n",
    },
  },
  {
    entry: "@caliban/tools-builtin/store-api",
    title: "serves the memories of a store",
    run: async (load) => {
      const { createMapTopicStore } = await load("@caliban/memory");
      const { createStoreApi } = await load("@caliban/tools-builtin/store-api");
      const served = {
        id: "memstore_app",
        name: "app",
        description: "",
        store: createMapTopicStore(),
        policy: () => ({ mode: "default", allow: [], ask: [], deny: [] }) as const,
      };
      const api = createStoreApi({
        stores: [served],
        sha256Hex: (text) => text.length.toString(16).padStart(64, "0"),
        now: () => 0,
        monotonicMs: () => 0,
      });
      const client = { name: "ci", access: () => "read" as const, mayRedact: false };
      const path = "/v1/memory_stores/memstore_app/memories";
      const { status } = await api({ method: "GET", path, query: {}, client });
      return {
        status,
        other: (await api({ method: "GET", path: "/v1/x", query: {}, client })).status,
      };
    },
    expected: { status: 200, other: 404 },
  },
];

export const EXERCISES: readonly Exercise[] = [...MEMORY, ...TOOLS, ...OTHERS];

/** What an exercise returned, as `expected` is written; the error as text if it failed. */
export async function outcomeOf({ run }: Exercise, load: LoadEntry): Promise<unknown> {
  try {
    return JSON.parse(JSON.stringify(await run(load)));
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Response {
  readonly id: number;
  readonly result?: unknown;
}

type Exchange = (request: Request) => Promise<Response>;

/** Connects a server to a transport in memory, and returns a function that sends a request. */
async function connect(server: ReturnType<typeof mcp.createMemoryServer>): Promise<Exchange> {
  const waiting = new Map<number, (response: Response) => void>();
  const transport: Parameters<typeof server.connect>[0] = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      if ("id" in message) waiting.get(Number(message.id))?.(message as Response);
    },
  };
  await server.connect(transport);
  const exchange: Exchange = async (request) =>
    await new Promise((resolve) => {
      waiting.set(request.id, resolve);
      transport.onmessage?.({ jsonrpc: "2.0", ...request });
    });
  const clientInfo = { name: "exercise", version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await exchange({ id: 1, method: "initialize", params });
  transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/initialized" });
  return exchange;
}
