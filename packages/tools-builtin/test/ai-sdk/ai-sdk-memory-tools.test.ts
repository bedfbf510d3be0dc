import { createHash } from "node:crypto";
import { parsePermissionRule } from "@caliban/agent-core";
import { createMapTopicStore, type TopicStore } from "@caliban/memory";
import { generateText, isStepCount, simulateReadableStream, streamText, ToolLoopAgent } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, expectTypeOf, it } from "vitest";
import { memoryApproval } from "../../src/ai-sdk/ai-sdk-memory-approval.ts";
import { memoryTools } from "../../src/ai-sdk/ai-sdk-memory-tools.ts";

type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const PNPM = { name: "pnpm", description: "never npm", type: "project", body: "CI has no npm." };

/** A model that makes one call per step, then answers. */
function modelThatCalls(...calls: readonly (readonly [name: string, input: object])[]): Script {
  const results: Result[] = calls.map(([toolName, input], at) => ({
    content: [{ type: "tool-call", toolCallId: `${at}`, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: "tool-calls", raw: undefined },
    usage: USAGE,
    warnings: [],
  }));
  const last: Result = {
    content: [{ type: "text", text: "Noted." }],
    finishReason: { unified: "stop", raw: undefined },
    usage: USAGE,
    warnings: [],
  };
  const model = new MockLanguageModelV4({ doGenerate: [...results, last] });
  return {
    model,
    told: () =>
      (model.doGenerateCalls.at(-1)?.prompt ?? [])
        .flatMap((message) => (message.role === "tool" ? message.content : []))
        .map((part) => (part.type === "tool-result" ? part.output : part)),
  };
}

interface Script {
  readonly model: MockLanguageModelV4;
  readonly told: () => readonly unknown[];
}

function memory(): TopicStore {
  return createMapTopicStore({
    sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
    now: () => Date.parse("2026-11-16T00:00:00Z"),
    findSecrets: async () => [],
  });
}

const done = isStepCount(5);

describe("memoryTools", () => {
  it("lets generateText save a topic", async () => {
    const store = memory();
    const { model, told } = modelThatCalls(["WriteMemoryTopic", PNPM], ["WriteMemoryTopic", PNPM]);
    const { text } = await generateText({
      model,
      tools: memoryTools(store),
      prompt: "Remember: we use pnpm.",
      stopWhen: done,
    });
    expect(text).toBe("Noted.");
    expect((await store.read("pnpm"))?.topic.body).toBe("CI has no npm.");
    // The second write did not read the topic first, so it is refused, and the run continues.
    expect(told()).toMatchObject([{ type: "text" }, { type: "error-text" }]);
  });

  it("lets a ToolLoopAgent read what another agent wrote", async () => {
    const store = memory();
    await store.write({ ...PNPM, type: "project", author: { who: "agent" } });
    const { model, told } = modelThatCalls(
      ["MemorySearch", { query: "npm" }],
      ["ReadMemoryTopic", { name: "pnpm" }],
    );
    const agent = new ToolLoopAgent({
      model,
      instructions: "Be brief.",
      tools: memoryTools(store),
    });
    await agent.generate({ prompt: "How do we install?" });
    expect(JSON.stringify(told())).toMatch(/pnpm \(project.*CI has no npm/);
  });

  it("lets streamText save a topic", async () => {
    const store = memory();
    const usage = USAGE;
    const call = { toolCallId: "1", toolName: "WriteMemoryTopic", input: JSON.stringify(PNPM) };
    const model = new MockLanguageModelV4({
      doStream: [
        {
          stream: simulateReadableStream({
            chunks: [
              { type: "tool-call", ...call },
              { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage },
            ],
          }),
        },
        {
          stream: simulateReadableStream({
            chunks: [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: "Noted." },
              { type: "text-end", id: "1" },
              { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage },
            ],
          }),
        },
      ],
    });
    const tools = memoryTools(store);
    const { text } = streamText({ model, tools, prompt: "Remember.", stopWhen: done });
    expect(await text).toBe("Noted.");
    expect((await store.read("pnpm"))?.topic.description).toBe("never npm");
  });

  it("reports a change to the user, and records the session", async () => {
    const store = memory();
    const messages: string[] = [];
    const { model } = modelThatCalls(["WriteMemoryTopic", PNPM]);
    const tools = memoryTools(store, {
      notify: ({ message }) => void messages.push(message),
      session: "s-7",
    });
    await generateText({ model, tools, prompt: "Remember.", stopWhen: done });
    expect(messages).toEqual(["memory: saved pnpm (project: never npm)"]);
    expect((await store.read("pnpm"))?.topic.session).toBe("s-7");
  });

  it("applies permission rules in the AI SDK", async () => {
    const store = memory();
    const parsed = parsePermissionRule("memory.write");
    if ("problem" in parsed) throw new Error(parsed.problem);
    const deny = [{ ...parsed.rule, source: "here" }];
    const policy = { allow: [], ask: [], deny, mode: "default" } as const;
    const { model, told } = modelThatCalls(["WriteMemoryTopic", PNPM]);
    const tools = memoryTools(store, { policy });
    await generateText({ model, tools, prompt: "Remember.", stopWhen: done });
    expect(told()).toMatchObject([{ type: "error-text" }]);
    expect((await store.list()).topics).toEqual([]);
  });

  it("offers only read-only memory tools with readOnly", () => {
    expect(Object.keys(memoryTools(memory(), { readOnly: true }))).toEqual([
      "ReadMemoryTopic",
      "MemorySearch",
    ]);
  });

  it("computes the age of a topic with the given clock", async () => {
    const store = memory();
    await store.write({ ...PNPM, type: "project", author: { who: "agent" } });
    const { model, told } = modelThatCalls(["ReadMemoryTopic", { name: "pnpm" }]);
    const now = (): number => Date.parse("2026-12-26T00:00:00Z");
    const tools = memoryTools(store, { now });
    await generateText({ model, tools, prompt: "How do we install?", stopWhen: done });
    expect(JSON.stringify(told())).toContain("40 days ago");
  });

  it("types the names, inputs and results of the tools", async () => {
    const tools = {
      ...memoryTools(memory()),
      ...memoryTools(memory(), { prefix: "user_", readOnly: true }),
    };
    expectTypeOf<keyof typeof tools>().toEqualTypeOf<
      | "ReadMemoryTopic"
      | "WriteMemoryTopic"
      | "DeleteMemoryTopic"
      | "MemorySearch"
      | "user_ReadMemoryTopic"
      | "user_MemorySearch"
    >();
    const { model } = modelThatCalls(
      ["WriteMemoryTopic", PNPM],
      ["user_MemorySearch", { query: "x" }],
    );
    const { steps } = await generateText({ model, tools, prompt: "Remember.", stopWhen: done });
    const slugs: string[] = [];
    for (const call of steps.flatMap(({ toolCalls }) => toolCalls)) {
      if (call.dynamic === true || call.toolName !== "WriteMemoryTopic") continue;
      expectTypeOf(call.input.if_match).toEqualTypeOf<string | undefined>();
      // @ts-expect-error -- the input has no such field
      expect(call.input.path).toBeUndefined();
    }
    for (const result of steps.flatMap(({ toolResults }) => toolResults)) {
      if (result.dynamic === true || result.toolName !== "WriteMemoryTopic") continue;
      if (result.output.isError !== true) slugs.push(result.output.data.slug);
    }
    expect(slugs).toEqual(["pnpm"]);
  });

  it("records no tools as the source of a topic, unless the program names them", async () => {
    const store = memory();
    const search = ["MemorySearch", { query: "npm" }] as const;
    const write = (name: string) => ["WriteMemoryTopic", { ...PNPM, name }] as const;
    const unknown = modelThatCalls(search, write("one"));
    const prompt = "Remember.";
    await generateText({ ...unknown, tools: memoryTools(store), prompt, stopWhen: done });
    expect((await store.read("one"))?.topic.after).toBeUndefined();
    const known = modelThatCalls(search, write("two"));
    const tools = memoryTools(store, { usedTools: () => ["fetch"] });
    await generateText({ ...known, tools, prompt, stopWhen: done });
    expect((await store.read("two"))?.topic.after).toEqual(["fetch"]);
  });
});

describe("memoryApproval", () => {
  const messages = [{ role: "user" as const, content: "Remember: we use pnpm." }];

  it("lets the AI SDK ask before a topic is written, and writes it once the user agrees", async () => {
    const store = memory();
    const tools = memoryTools(store, { prefix: "p_" });
    const toolApproval = memoryApproval({ prefix: "p_" });
    const { model } = modelThatCalls(["p_WriteMemoryTopic", PNPM]);
    const first = await generateText({ model, tools, toolApproval, messages, stopWhen: done });
    const request = first.content.find((part) => part.type === "tool-approval-request");
    expect((await store.list()).topics).toEqual([]);
    expect(request?.reason).toBe("Save pnpm in memory: never npm");
    const answer = {
      role: "tool" as const,
      content: [
        {
          type: "tool-approval-response" as const,
          approvalId: request?.approvalId ?? "",
          approved: true,
        },
      ],
    };
    const approved = [...messages, ...first.response.messages, answer];
    const { text } = await generateText({ model, tools, toolApproval, messages: approved });
    expect(text).toBe("Noted.");
    expect((await store.read("pnpm"))?.topic.description).toBe("never npm");
  });

  it("asks only about the given tools", () => {
    const approval = memoryApproval({ tools: ["DeleteMemoryTopic"] });
    expectTypeOf<keyof typeof approval>().toEqualTypeOf<"DeleteMemoryTopic">();
    expect(Object.keys(approval)).toEqual(["DeleteMemoryTopic"]);
  });
});
