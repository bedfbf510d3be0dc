import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addCacheControl } from "../src/cache-control.ts";
import { APIS, ask, wire } from "./node/wire.ts";

const MESSAGES = {
  system: { role: "system", content: "s" },
  user: { role: "user", content: [{ type: "text", text: "u" }] },
  assistant: { role: "assistant", content: [{ type: "text", text: "a" }] },
  tool: { role: "tool", content: [] },
} satisfies Readonly<Record<string, LanguageModelV4Message>>;

const isMarked = ({ providerOptions }: LanguageModelV4Message): boolean =>
  providerOptions?.["anthropic"]?.["cacheControl"] !== undefined;

describe("cache control", () => {
  it("marks the last system message and the last two inputs", () => {
    const roles = ["system", "system", "user", "assistant", "tool", "assistant", "user"] as const;
    const marked = addCacheControl(
      roles.map((role) => MESSAGES[role]),
      "anthropic",
    );
    expect(marked.map(isMarked)).toEqual([false, true, false, false, true, false, true]);
  });

  it("keeps other provider options", () => {
    const message: LanguageModelV4Message = {
      ...MESSAGES.user,
      providerOptions: { openai: { x: 1 }, anthropic: { y: 2 } },
    };
    expect(addCacheControl([message], "anthropic")[0]?.providerOptions).toEqual({
      openai: { x: 1 },
      anthropic: { y: 2, cacheControl: { type: "ephemeral" } },
    });
  });

  const prompts = fc
    .array(fc.constantFrom("system", "user", "assistant", "tool"), { maxLength: 8 })
    .map((roles) => roles.map((role) => MESSAGES[role]));

  it("sets at most four marks, changes nothing else, and only for Anthropic", () => {
    fc.assert(
      fc.property(prompts, (prompt) => {
        const marked = addCacheControl(prompt, "anthropic");
        expect(marked.filter(isMarked).length).toBeLessThanOrEqual(4);
        expect(marked.map(({ role, content }) => ({ role, content }))).toEqual(prompt);
        expect(addCacheControl(prompt, "openai")).toBe(prompt);
      }),
    );
  });

  it("sends the marks: tools and memory before the first, the newest input before the last", async () => {
    const [row] = APIS;
    if (row === undefined) throw new Error("no such row");
    const { server, model } = await wire(row, { script: [{ text: "x" }] });
    const prompt: LanguageModelV4Prompt = [
      { role: "system", content: "<memory>we deploy with pnpm ship</memory>\nYou are a test." },
      { role: "user", content: [{ type: "text", text: "first" }] },
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "1", toolName: "Read", input: { path: "a" } },
          { type: "tool-call", toolCallId: "2", toolName: "Read", input: { path: "b" } },
        ],
      },
      {
        role: "tool",
        content: ["1", "2"].map((id) => ({
          type: "tool-result" as const,
          toolCallId: id,
          toolName: "Read",
          output: { type: "text" as const, value: `result ${id}` },
        })),
      },
    ];
    await ask(model, { prompt: addCacheControl(prompt, "anthropic") });
    const body = server.requests[0]?.body ?? {};
    const mark = { cache_control: { type: "ephemeral" } };
    // The provider puts tools before the system prompt, and that before the messages: a mark covers all before it.
    expect(body["tools"]).toHaveLength(2);
    expect(body["system"]).toEqual([
      {
        type: "text",
        text: "<memory>we deploy with pnpm ship</memory>\nYou are a test.",
        ...mark,
      },
    ]);
    expect(body["messages"]).toMatchObject([
      { role: "user", content: [{ type: "text", text: "first", ...mark }] },
      { role: "assistant" },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1" },
          { type: "tool_result", tool_use_id: "2", ...mark },
        ],
      },
    ]);
    expect(JSON.stringify(body).split('"cache_control"')).toHaveLength(4);
  });

  it("leaves the requests of other providers unchanged", async () => {
    for (const row of APIS.slice(1)) {
      const { server, model } = await wire(row, { script: [{ text: "x" }] });
      const prompt: LanguageModelV4Prompt = [MESSAGES.system, MESSAGES.user];
      await ask(model, { prompt: addCacheControl(prompt, row.api) });
      expect(server.requests[0]?.text).not.toMatch(/cache_?control/i);
    }
  });
});
