import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/loop/agent-event.ts";
import { compactConversation, runTurn, type TurnInput } from "../../src/loop/run-turn.ts";
import type { AssistantMessage, Message } from "../../src/message.ts";
import { hastyClock } from "../support/manual-clock.ts";
import {
  call,
  finish,
  type ScriptedAnswer,
  scriptedModel,
  text,
} from "../support/scripted-model.ts";

const user = (content: string): Message => ({ role: "user", text: content });
const answer = (content: string, inputTokens = 0): AssistantMessage => ({
  role: "assistant",
  model: "a/one",
  parts: [{ type: "text", text: content }],
  usage: { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
});
const MESSAGES: readonly Message[] = [
  user("one"),
  answer("word ".repeat(1000)),
  user("two"),
  answer("short"),
];

function conversation(script: readonly ScriptedAnswer[], changes: Partial<TurnInput> = {}) {
  const { model, requests } = scriptedModel(script);
  const events: AgentEvent[] = [];
  const input: TurnInput = {
    model,
    modelName: "a/one",
    messages: MESSAGES,
    contextWindow: 1_000,
    emit: (event) => void events.push(event),
    clock: hastyClock(),
    runTool: async () => ({ text: "ran" }),
    ...changes,
  };
  const count = (type: AgentEvent["type"]): number =>
    events.filter((event) => event.type === type).length;
  return { input, requests, events, count };
}

describe("compactConversation", () => {
  it("replaces the older part by the model's summary and keeps the end", async () => {
    const { input, requests, events } = conversation([[...text("A summary."), finish()]]);
    const instructions = "keep the numbers";
    const { messages, outcome } = await compactConversation({ ...input, instructions });
    expect(outcome).toEqual({ kind: "done" });
    expect(messages).toHaveLength(3);
    expect(messages[0]).toMatchObject({ text: expect.stringContaining("A summary.") });
    expect(messages.slice(1)).toMatchObject([user("two"), { parts: [{ text: "short" }] }]);
    expect(JSON.stringify(requests[0]?.prompt)).toContain(instructions);
    const compacted = events.find(({ type }) => type === "compacted");
    if (compacted?.type !== "compacted") throw new Error("not compacted");
    expect(compacted.messages).toBe(messages);
    expect(compacted.afterTokens).toBeLessThan(compacted.beforeTokens);
  });

  it("summarizes with another model, or without one", async () => {
    const small = scriptedModel([[...text("By the small one."), finish()]]);
    const { input, requests } = conversation([], {
      openSummarizer: async () => ({ model: small.model }),
    });
    const { messages } = await compactConversation(input);
    expect(messages[0]).toMatchObject({ text: expect.stringContaining("By the small one.") });
    const plain = conversation([], { plainSummaries: true });
    expect((await compactConversation(plain.input)).messages).toHaveLength(3);
    expect([...requests, ...plain.requests]).toEqual([]);
  });

  it("leaves a conversation of one exchange alone, and says so", async () => {
    const { input, events } = conversation([], { messages: MESSAGES.slice(0, 2) });
    const { messages, outcome } = await compactConversation(input);
    expect([messages, outcome]).toEqual([input.messages, { kind: "done" }]);
    expect(events[0]).toMatchObject({
      type: "notice",
      message: expect.stringMatching(/^Nothing to shorten/),
    });
  });

  it("fails when the model returns an empty summary, and changes nothing", async () => {
    const { input } = conversation([[finish()]]);
    const { messages, outcome } = await compactConversation(input);
    expect(messages).toBe(MESSAGES);
    expect(outcome).toMatchObject({
      kind: "failed",
      failure: { code: "garbage", message: expect.stringContaining("empty summary") },
    });
  });
});

describe("a conversation that is too long for the context window", () => {
  it.each([
    [840, 0],
    [860, 1],
  ])(
    "shortens a conversation from 85 %% of the window on: %i of 1,000 tokens",
    async (inputTokens, times) => {
      const { input, count } = conversation(
        [...(times === 1 ? [[...text("Summed up."), finish()]] : []), [...text("c"), finish()]],
        { messages: [...MESSAGES.slice(0, 3), answer("b", inputTokens), user("three")] },
      );
      expect((await runTurn(input)).outcome).toEqual({ kind: "done" });
      expect(count("compacted")).toBe(times);
    },
  );

  it("shortens nothing when the size of the window is not known", async () => {
    const messages = [...MESSAGES.slice(0, 3), answer("b", 1e9), user("three")];
    const { input, count } = conversation([[...text("c"), finish()]], {
      messages,
      contextWindow: undefined,
    });
    expect((await runTurn(input)).outcome).toEqual({ kind: "done" });
    expect(count("compacted")).toBe(0);
  });

  it("tries no second summary within a turn once one failed", async () => {
    const full = { input: 900, output: 0 };
    const { input, requests, count } = conversation(
      [
        [finish()],
        [call("1", "Glob", { pattern: "*" }), finish("tool-calls", full)],
        [...text("c"), finish("stop", full)],
      ],
      { messages: [...MESSAGES.slice(0, 3), answer("b", 900), user("three")] },
    );
    expect((await runTurn(input)).outcome).toEqual({ kind: "done" });
    expect([requests.length, count("notice")]).toEqual([3, 1]);
  });

  const overflow = new APICallError({
    message: "prompt is too long: 250000 tokens > 200000 maximum",
    url: "http://localhost/",
    requestBodyValues: {},
    statusCode: 400,
  });
  const window = { contextWindow: 100_000, messages: [...MESSAGES, user("three")] };

  it("shortens a conversation that the provider rejects as too long, and sends it once more", async () => {
    const { input, requests } = conversation(
      [overflow, [...text("In short."), finish()], [...text("on"), finish()]],
      window,
    );
    expect((await runTurn(input)).outcome).toEqual({ kind: "done" });
    expect(JSON.stringify(requests[2]?.prompt)).toContain("In short.");
    const stubborn = conversation([overflow, [...text("In short."), finish()], overflow], window);
    expect((await runTurn(stubborn.input)).outcome).toMatchObject({
      failure: { code: "overflow" },
    });
  });

  it("fails with a notice when the provider rejects a conversation that cannot be shortened", async () => {
    const { input, requests, count } = conversation([overflow, [finish()]], window);
    expect((await runTurn(input)).outcome).toMatchObject({ failure: { code: "overflow" } });
    expect([requests.length, count("notice")]).toEqual([2, 1]);
  });
});
