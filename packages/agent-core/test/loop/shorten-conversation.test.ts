import { describe, expect, it } from "vitest";
import { shortenConversation, type ShortenInput } from "../../src/loop/shorten-conversation.ts";
import type { Message } from "../../src/message.ts";
import { hastyClock } from "../support/manual-clock.ts";
import { finish, type ScriptedAnswer, scriptedModel, text } from "../support/scripted-model.ts";

const user = (content: string): Message => ({ role: "user", text: content });
const answer = (content: string): Message => ({
  role: "assistant",
  model: "a/one",
  parts: [{ type: "text", text: content }],
});
const MESSAGES: readonly Message[] = [
  user("one"),
  answer("word ".repeat(1000)),
  user("two"),
  answer("short"),
];

function input(script: readonly ScriptedAnswer[], changes: Partial<ShortenInput> = {}) {
  const { model, requests } = scriptedModel(script);
  const request: ShortenInput["request"] = {
    model,
    modelName: "a/one",
    system: "",
    tools: [],
    emit: () => undefined,
    signal: new AbortController().signal,
    clock: hastyClock(),
  };
  const sizes = { windowTokens: 1000, summaryWindowTokens: 1000 };
  return { requests, shorten: { request, messages: MESSAGES, ...sizes, ...changes } };
}

describe("shortenConversation", () => {
  it("replaces the older part by the model's summary and keeps the end", async () => {
    const { shorten, requests } = input([[...text("A summary."), finish()]], {
      instructions: "keep the numbers",
    });
    const result = await shortenConversation(shorten);
    if (result.kind !== "shortened") throw new Error(result.kind);
    expect(result.messages).toHaveLength(3);
    expect(result.messages[0]).toMatchObject({ text: expect.stringContaining("A summary.") });
    expect(result.messages.slice(1)).toEqual(MESSAGES.slice(2));
    expect(result.afterTokens).toBeLessThan(result.beforeTokens);
    expect(JSON.stringify(requests[0]?.prompt)).toContain("keep the numbers");
  });

  it("summarizes without a model on request", async () => {
    const { shorten, requests } = input([], { isPlain: true });
    expect(await shortenConversation(shorten)).toMatchObject({ kind: "shortened" });
    expect(requests).toEqual([]);
  });

  it("leaves a conversation of one exchange alone", async () => {
    const { shorten } = input([], { messages: MESSAGES.slice(0, 2) });
    expect(await shortenConversation(shorten)).toEqual({ kind: "nothing-to-shorten" });
  });

  it("fails when the model returns an empty summary", async () => {
    const { shorten } = input([[finish()]]);
    expect(await shortenConversation(shorten)).toMatchObject({
      kind: "failed",
      failure: { code: "garbage", message: expect.stringContaining("empty summary") },
    });
  });
});
