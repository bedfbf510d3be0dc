import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { runTurn, type Tool } from "@caliban/agent-core";
import type { ProviderApi } from "../../src/provider-settings.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  messagesOf,
  systemOf,
  toolNamesOf,
} from "../../../../test/support/model-server/received-request.ts";
import { APIS, ask, callsOf, finishOf, HELLO, KEY, textOf, wire } from "./wire.ts";

const TEXT = "Grüße, 世界 🌍! ".repeat(20);
const LONG = "one two three four five six seven eight nine ten ".repeat(200);

describe.for(APIS)("a model over $api", (row) => {
  it("sends the prompt, the tools and the key, and returns the text", async () => {
    const { server, model } = await wire(row, { script: [{ text: TEXT }] });
    const outcome = await ask(model);
    expect(outcome.thrown).toBeUndefined();
    expect(textOf(outcome)).toBe(TEXT);
    expect(finishOf(outcome)).toEqual(["stop"]);

    const [request] = server.requests;
    if (request === undefined) throw new Error("nothing arrived");
    expect(request.protocol).toBe(row.protocol);
    expect(systemOf(request)).toBe("You are a test.");
    expect(toolNamesOf(request)).toEqual(["Read", "Bash"]);
    expect(messagesOf(request)).toMatchObject([{ role: "user", text: "Hello" }]);
    const header = KEY_HEADERS[row.api];
    expect(request.headers[header ?? "authorization"]).toBe(
      header === undefined ? `Bearer ${KEY}` : KEY,
    );
    // In the one header, and nowhere else.
    expect(`${request.path} ${request.text}`).not.toContain(KEY);
    expect(JSON.stringify(request.headers).split(KEY)).toHaveLength(2);
  });

  it("streams text in whole characters, however the bytes are split", async () => {
    const { model } = await wire(row, { script: [{ text: TEXT.slice(0, 60), chunkBytes: 3 }] });
    expect(textOf(await ask(model))).toBe(TEXT.slice(0, 60));
  });

  it("streams the first words before the last ones arrive", async () => {
    // The server sends the beginning and then hangs until the test ends.
    const { model } = await wire(row, { script: [{ text: LONG, hangAfterBytes: 5000 }] });
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const { stream } = await model.doStream({ prompt: HELLO, abortSignal: abort.signal });
    let received = "";
    for await (const part of stream) {
      if (part.type === "text-delta") received += part.delta;
      if (received !== "") break;
    }
    expect(LONG.startsWith(received)).toBe(true);
  });

  it("sends a message of the user right after the result of a tool", async () => {
    const { server, model } = await wire(row, {
      script: [{ toolCalls: [{ name: "Read", input: {} }] }, { text: "Done." }],
    });
    const read: Tool = {
      name: "Read",
      description: "Reads.",
      permission: "fs.read",
      isReadOnly: true,
      inputSchema: { type: "object", properties: {} },
      run: async () => ({ text: "the result" }),
    };
    const { outcome } = await runTurn({
      model,
      tools: [read],
      messages: [{ role: "user", text: "Hello" }],
      takeMessages: async () => [{ role: "user", text: "use yarn", note: "[sent meanwhile]" }],
    });
    expect(outcome).toEqual({ kind: "done" });
    const [, second] = server.requests;
    if (second === undefined) throw new Error("nothing arrived");
    const sent = messagesOf(second);
    const results = sent.flatMap(({ toolResults }) => toolResults);
    expect(results).toMatchObject([{ text: expect.stringContaining("the result") }]);
    // Anthropic and Gemini have both in messages of the same role.
    expect(sent.at(-1)?.role).not.toBe("assistant");
    expect(sent.at(-1)?.text).toMatch(/use yarn[^]*\[sent meanwhile\]/);
  });

  it("returns a tool call", async () => {
    const input = { path: "src/ä b.ts" };
    const { model } = await wire(row, {
      script: [{ text: "Let me look.", toolCalls: [{ name: "Read", input }] }],
    });
    const outcome = await ask(model);
    expect(textOf(outcome)).toBe("Let me look.");
    expect(callsOf(outcome)).toEqual([["Read", input]]);
    expect(finishOf(outcome)).toEqual(["tool-calls"]);
  });

  it("returns several tool calls in order", async () => {
    const toolCalls = ["a", "b", "c"].map((path) => ({ name: "Read", input: { path } }));
    const { model } = await wire(row, { script: [{ toolCalls }] });
    const outcome = await ask(model);
    expect(callsOf(outcome)).toEqual(toolCalls.map(({ name, input }) => [name, input]));
    const ids = outcome.parts.flatMap((part) =>
      part.type === "tool-call" ? [part.toolCallId] : [],
    );
    expect(new Set(ids).size).toBe(3);
  });

  it("sends tool results and its own reasoning back in the next turn", async () => {
    const { server, model } = await wire(row, {
      script: [
        {
          reasoning: "I should look at both.",
          toolCalls: [
            { name: "Read", input: { path: "a" } },
            { name: "Bash", input: { path: "b" } },
          ],
        },
        { text: "Both are fine." },
      ],
    });
    const first = await ask(model);
    const prompt = [...HELLO, ...goOn(first.parts)];
    const second = await ask(model, { prompt });
    expect(second.thrown).toBeUndefined();
    expect(textOf(second)).toBe("Both are fine.");

    const request = server.requests[1];
    if (request === undefined) throw new Error("nothing arrived");
    const messages = messagesOf(request);
    const calls = messages.flatMap(({ toolCalls }) => toolCalls);
    const results = messages.flatMap(({ toolResults }) => toolResults);
    expect(calls.map(({ name, input }) => [name, input])).toEqual(callsOf(first));
    expect(results.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    expect(results.map(({ text }) => text)).toEqual(["result of Read", "result of Bash"]);
    expect(messages.map(({ reasoning }) => reasoning).join("")).toContain("I should look at both.");
    expect(request.text).toMatch(SIGNATURES[row.api]);
  });

  it("reports token usage", async () => {
    const usage = { inputTokens: 1000, outputTokens: 50, cacheReadTokens: 800 };
    const { model } = await wire(row, { script: [{ text: "x", usage }] });
    const { parts } = await ask(model);
    expect(parts.find((part) => part.type === "finish")?.usage).toMatchObject({
      inputTokens: { total: 1000, cacheRead: 800 },
      outputTokens: { total: 50 },
    });
  });

  it.for([
    [{ text: "I would rather not", refusal: true }, "content-filter"],
    [{ text: "and so on and", stopAtLength: true }, "length"],
  ] as const)("reports why it stopped: %j", async ([answer, reason]) => {
    const { model } = await wire(row, { script: [answer] });
    const outcome = await ask(model);
    expect(outcome.thrown).toBeUndefined();
    expect(finishOf(outcome)).toEqual([reason]);
  });

  it("reuses the connection for the next request", async () => {
    const { server, model } = await wire(row, { script: [{ text: "x" }], repeat: true });
    for (let turn = 0; turn < 3; turn++) await ask(model);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  it("sends a conversation of one megabyte", async () => {
    const { server, model } = await wire(row, { script: [{ text: "Long." }] });
    const text = TEXT.repeat(3000);
    const prompt: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text }] }];
    expect(textOf(await ask(model, { prompt }))).toBe("Long.");
    expect(server.requests[0]?.text.length).toBeGreaterThan(text.length);
  });
});

// Gemini sends the input of a call as JSON, not as a text.
describe.for(APIS.filter(({ api }) => api !== "google"))("a model over $api", (row) => {
  it("passes on a call whose input is not valid JSON", async () => {
    const call = { name: "Read", input: {}, rawInput: '{"path": "a' };
    const { model } = await wire(row, { script: [{ toolCalls: [call] }] });
    const { parts, thrown } = await ask(model);
    expect(thrown).toBeUndefined();
    expect(parts.find((part) => part.type === "tool-call")).toMatchObject({
      toolName: "Read",
      input: '{"path": "a',
    });
  });
});

/** Where a key is sent that is not a bearer token. */
const KEY_HEADERS: Readonly<Partial<Record<ProviderApi, string>>> = {
  anthropic: "x-api-key",
  google: "x-goog-api-key",
};

/** What a thought must be sent back with, where the protocol has it. */
const SIGNATURES = {
  anthropic: /"signature":"signature-1"/,
  openai: /"encrypted_content":"encrypted-1"/,
  google: /"thoughtSignature":"signature-1"/,
  "openai-compatible": /"reasoning_content":"I should/,
};

/** The answer as it goes into the next prompt, with the results of its calls: what the loop does. */
function goOn(parts: Awaited<ReturnType<typeof ask>>["parts"]): LanguageModelV4Prompt {
  const reasoning = parts.flatMap((part) => (part.type === "reasoning-delta" ? [part.delta] : []));
  // Signatures come with whichever part of a thought is the last that has one.
  const metadata = parts.findLast(
    (part) => part.type.startsWith("reasoning-") && "providerMetadata" in part,
  );
  const calls = parts.filter((part) => part.type === "tool-call");
  return [
    {
      role: "assistant",
      content: [
        {
          type: "reasoning",
          text: reasoning.join(""),
          ...(metadata !== undefined &&
            "providerMetadata" in metadata &&
            metadata.providerMetadata !== undefined && {
              providerOptions: metadata.providerMetadata,
            }),
        },
        ...calls.map((call) => ({
          type: "tool-call" as const,
          toolCallId: call.toolCallId,
          toolName: call.toolName,
          input: JSON.parse(call.input) as unknown,
          ...(call.providerMetadata !== undefined && { providerOptions: call.providerMetadata }),
        })),
      ],
    },
    {
      role: "tool",
      content: calls.map((call) => ({
        type: "tool-result" as const,
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        output: { type: "text" as const, value: `result of ${call.toolName}` },
      })),
    },
  ];
}

describe("provider defaults", () => {
  it("asks OpenAI to store nothing", async () => {
    const [, row] = APIS;
    if (row === undefined) throw new Error("no such row");
    const { server, model } = await wire(row, { script: [{ text: "x" }] });
    await ask(model);
    expect(server.requests[0]?.body).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content"],
    });
  });

  it("raises the output limit for a model of unknown size", async () => {
    const [row] = APIS;
    if (row === undefined) throw new Error("no such row");
    const { server, model } = await wire({ ...row, model: "kimi" }, { script: [{ text: "x" }] });
    await ask(model);
    expect(server.requests[0]?.body["max_tokens"]).toBe(16_000);
  });
});
