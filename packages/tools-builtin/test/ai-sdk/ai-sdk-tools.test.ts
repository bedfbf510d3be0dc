import { createHash } from "node:crypto";
import { createToolRunner } from "@caliban/agent-core";
import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { toAiSdkTools } from "../../src/ai-sdk/ai-sdk-tools.ts";
import { createMemoryTools } from "../../src/memory/memory-tools.ts";

type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function calling(toolName: string, input: unknown): Result {
  return {
    content: [
      { type: "tool-call", toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) },
    ],
    finishReason: { unified: "tool-calls", raw: undefined },
    usage: USAGE,
    warnings: [],
  };
}

function saying(text: string): Result {
  return {
    content: [{ type: "text", text }],
    finishReason: { unified: "stop", raw: undefined },
    usage: USAGE,
    warnings: [],
  };
}

function memory(): TopicStore {
  return createMapTopicStore({
    sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
    now: () => 0,
    findSecrets: async () => [],
  });
}

describe("the memory tools in the AI SDK", () => {
  it("runs the calls of an AI SDK model, and returns the results to it", async () => {
    const store = memory();
    const tools = createMemoryTools({ store, now: () => 0 });
    const { run } = createToolRunner({
      tools,
      policy: { allow: [], ask: [], deny: [], mode: "default" },
      notify: () => undefined,
    });
    const input = { name: "pnpm", description: "we use pnpm", type: "project", body: "Never npm." };
    const model = new MockLanguageModelV4({
      doGenerate: [
        calling("WriteMemoryTopic", input),
        calling("WriteMemoryTopic", input),
        saying("Noted."),
      ],
    });
    const { text } = await generateText({
      model,
      tools: toAiSdkTools(tools, run),
      prompt: "Remember: we use pnpm.",
      stopWhen: stepCountIs(5),
    });
    expect(text).toBe("Noted.");
    expect((await store.read("pnpm"))?.topic.body).toBe("Never npm.");
    const [first] = model.doGenerateCalls;
    expect(first?.tools?.map((tool) => tool.name)).toEqual(tools.map(({ name }) => name));
    const schema = first?.tools?.[0];
    expect(schema?.type === "function" && schema.inputSchema).toEqual(tools[0]?.inputSchema);
    const results = model.doGenerateCalls
      .at(-1)
      ?.prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
    expect(
      results?.map((part) => (part.type === "tool-result" ? part.output.type : part.type)),
    ).toEqual(["text", "error-text"]);
  });
});
