import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { createMapTopicStore } from "@caliban/memory";
import { memoryTools as jsonSchemaTools } from "../src/json-schema/json-schema-tools.ts";
import { createLangGraphStore } from "../src/langgraph/langgraph-store.ts";
import type { LangGraphStore } from "../src/langgraph/langgraph-types.ts";
import { memoryTools as mastraTools } from "../src/mastra/mastra-tools.ts";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

// The adapters with the real SDKs, which only the examples install. The examples check the types.

const TOPIC = { name: "deploy", description: "how we deploy", type: "project", body: "pnpm ship" };

/** A module of an SDK. */
async function sdk<Module>(example: string, specifier: string): Promise<Module> {
  const { resolve } = createRequire(
    new URL(`../../../examples/${example}/package.json`, import.meta.url),
  );
  return (await import(pathToFileURL(resolve(specifier)).href)) as Module;
}

describe("createLangGraphStore next to LangGraph's own store", () => {
  const namespace = fc.constantFrom<string[]>(["a", "x"], ["a", "y"], ["b", "x"], ["c"]);
  const key = fc.constantFrom("one", "two");
  const value = fc.record({ n: fc.integer({ min: 0, max: 3 }), tag: fc.constantFrom("s", "t") });
  const filter = fc.constantFrom(
    undefined,
    { n: 1 },
    { n: { $gte: 2 } },
    { n: { $ne: 0 }, tag: "s" },
    { tag: { $in: ["t"] } },
    { n: { $lt: 3, $gt: 0 } },
    { missing: 1 },
  );
  const command = fc.oneof(
    fc.record({ kind: fc.constant("put" as const), namespace, key, value }),
    fc.record({ kind: fc.constant("delete" as const), namespace, key }),
    fc.record({ kind: fc.constant("get" as const), namespace, key }),
    fc.record({
      kind: fc.constant("search" as const),
      prefix: fc.constantFrom<string[]>([], ["a"]),
      filter,
    }),
  );
  type Command = typeof command extends fc.Arbitrary<infer Each> ? Each : never;

  async function apply(store: LangGraphStore, step: Command): Promise<unknown> {
    if (step.kind === "put") return await store.put(step.namespace, step.key, step.value);
    if (step.kind === "delete") return await store.delete(step.namespace, step.key);
    if (step.kind === "get") return plain(await store.get(step.namespace, step.key));
    const options = { limit: 100, ...(step.filter === undefined ? {} : { filter: step.filter }) };
    const found = await store.search(step.prefix, options);
    return found.map((item) => JSON.stringify(plain(item))).toSorted();
  }

  it("gives the same results for the same calls", async () => {
    const { InMemoryStore } = await sdk<{ readonly InMemoryStore: new () => LangGraphStore }>(
      "langgraph",
      "@langchain/langgraph",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (steps) => {
        const [theirs, ours] = [new InMemoryStore(), createLangGraphStore(createMapTopicStore())];
        for (const step of steps)
          expect(await apply(ours, step)).toEqual(await apply(theirs, step));
      }),
      { numRuns: 60 },
    );
  });
});

function plain(item: Awaited<ReturnType<LangGraphStore["get"]>>): unknown {
  return item === null ? null : { namespace: item.namespace, key: item.key, value: item.value };
}

interface OpenAiAgents {
  readonly Agent: new (input: object) => object;
  readonly OpenAIProvider: new (input: object) => object;
  readonly Runner: new (input: object) => {
    readonly run: (agent: object, input: unknown) => Promise<RunResult>;
  };
  readonly tool: (input: object) => object;
}

interface RunResult {
  readonly finalOutput: string | undefined;
  readonly interruptions: readonly object[];
  readonly state: { readonly approve: (interruption: object) => void };
}

interface ResponsesRequest {
  readonly input: readonly { readonly type?: string; readonly output?: unknown }[];
  readonly tools: readonly {
    readonly name: string;
    readonly strict: boolean;
    readonly parameters: {
      readonly required: readonly string[];
      readonly additionalProperties: boolean;
      readonly properties: Readonly<Record<string, object>>;
    };
  }[];
}

describe("the tools in the OpenAI Agents SDK", () => {
  it("sends strict schemas, asks for approval, and runs the approved call", async () => {
    const { Agent, OpenAIProvider, Runner, tool } = await sdk<OpenAiAgents>(
      "openai-agents",
      "@openai/agents",
    );
    const store = createMapTopicStore();
    const { url, requests } = await fakeResponsesApi();
    const agent = new Agent({
      name: "assistant",
      model: "any",
      tools: jsonSchemaTools(store, { session: "s-1" }).map((each) =>
        tool({ ...each, needsApproval: !each.isReadOnly }),
      ),
    });
    const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL: url });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const waiting = await runner.run(agent, "Remember how we deploy.");
    expect((await store.list()).topics).toEqual([]);
    const [interruption] = waiting.interruptions;
    waiting.state.approve(interruption ?? {});
    const { finalOutput } = await runner.run(agent, waiting.state);
    expect(finalOutput).toBe("Noted.");
    expect((await store.read("deploy"))?.topic).toMatchObject({
      body: "pnpm ship",
      session: "s-1",
    });
    const told = requests.at(-1)?.input.find(({ type }) => type === "function_call_output");
    expect(JSON.stringify(told)).toContain("Saved the new topic deploy");
    const tools = requests[0]?.tools ?? [];
    expect(tools).toHaveLength(4);
    for (const { strict, parameters } of tools) {
      expect(strict).toBe(true);
      expect(parameters.additionalProperties).toBe(false);
      expect(parameters.required).toEqual(Object.keys(parameters.properties));
      expect(JSON.stringify(parameters)).not.toMatch(/"(?:minLength|maxLength|default|format)"/);
    }
  });
});

/** Answers as the API does: first a call, then a text. */
async function fakeResponsesApi(): Promise<{
  readonly url: string;
  readonly requests: readonly ResponsesRequest[];
}> {
  const requests: ResponsesRequest[] = [];
  const call = {
    type: "function_call",
    call_id: "1",
    name: "WriteMemoryTopic",
    arguments: JSON.stringify({ ...TOPIC, if_match: null }),
  };
  const content = [{ type: "output_text", text: "Noted.", annotations: [] }];
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push((await json(request)) as ResponsesRequest);
    const item = requests.length === 1 ? call : { type: "message", role: "assistant", content };
    const output = [{ id: "item_1", status: "completed", ...item }];
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "r", object: "response", output, usage }));
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  return { url: `http://127.0.0.1:${port}/v1`, requests };
}

interface MastraAgents {
  readonly Agent: new (input: object) => {
    readonly generate: (
      prompt: string,
    ) => Promise<{ readonly text: string; readonly finishReason: string }>;
  };
}

describe("the tools in Mastra", () => {
  it.for([
    { requireApproval: [], finishReason: "stop", written: 1 },
    { requireApproval: ["WriteMemoryTopic"], finishReason: "suspended", written: 0 },
  ] as const)(
    "writes a topic, and suspends the run first if approval is required: $requireApproval",
    async ({ requireApproval, finishReason, written }) => {
      const { Agent } = await sdk<MastraAgents>("mastra", "@mastra/core/agent");
      const store = createMapTopicStore();
      const agent = new Agent({
        id: "assistant",
        name: "assistant",
        instructions: "Be brief.",
        model: modelThatWrites(),
        tools: mastraTools(store, { prefix: "p_", requireApproval }),
      });
      const result = await agent.generate("Remember how we deploy.");
      expect(result.finishReason).toBe(finishReason);
      expect((await store.list()).topics).toHaveLength(written);
    },
  );
});

function modelThatWrites(): object {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const call = { toolCallId: "1", toolName: "p_WriteMemoryTopic", input: JSON.stringify(TOPIC) };
  return {
    specificationVersion: "v3",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async ({ prompt }: { readonly prompt: readonly { readonly role: string }[] }) => {
      const isDone = prompt.some(({ role }) => role === "tool");
      return {
        content: [isDone ? { type: "text", text: "Noted." } : { type: "tool-call", ...call }],
        finishReason: { unified: isDone ? "stop" : "tool-calls", raw: undefined },
        usage,
        warnings: [],
      };
    },
  };
}
