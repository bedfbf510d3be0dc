import { APICallError } from "@ai-sdk/provider";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/loop/agent-event.ts";
import type { Message } from "../../src/message.ts";
import { compactConversation, runTurn, type TurnInput } from "../../src/loop/run-turn.ts";
import type { ToolCall, ToolResult } from "../../src/tool.ts";
import { hastyClock, manualClock, settle } from "../support/manual-clock.ts";
import {
  call,
  finish,
  type ScriptedAnswer,
  scriptedModel,
  stuckStream,
  text,
} from "../support/scripted-model.ts";

const ASKED: readonly Message[] = [{ role: "user", text: "hello" }];

function turn(script: readonly ScriptedAnswer[], changes: Partial<TurnInput> = {}) {
  const { model, requests } = scriptedModel(script);
  const events: AgentEvent[] = [];
  const calls: ToolCall[] = [];
  const input: TurnInput = {
    model,
    modelName: "test/scripted",
    system: "Be good.",
    tools: [],
    messages: ASKED,
    maxSteps: 10,
    emit: (event) => void events.push(event),
    signal: new AbortController().signal,
    clock: hastyClock(),
    runTool: async (given) => {
      calls.push(given);
      return { text: `ran ${given.name}` };
    },
    ...changes,
  };
  return { run: () => runTurn(input), requests, events, calls };
}

function failure(statusCode: number, headers: Record<string, string> = {}): APICallError {
  return new APICallError({
    message: "no",
    url: "http://localhost/",
    requestBodyValues: {},
    statusCode,
    responseHeaders: headers,
    responseBody: "",
  });
}

const types = (events: readonly AgentEvent[]): readonly string[] => events.map(({ type }) => type);

describe("a turn", () => {
  it("streams an answer and ends the turn", async () => {
    const { run, events, requests } = turn([[...text("Good ", "day"), finish()]]);
    const { messages, outcome } = await run();
    expect(outcome).toEqual({ kind: "done" });
    expect(messages).toEqual([
      ...ASKED,
      {
        role: "assistant",
        model: "test/scripted",
        parts: [{ type: "text", text: "Good day" }],
        usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
    ]);
    expect(types(events)).toEqual([
      "step-start",
      "text-delta",
      "text-delta",
      "usage",
      "message",
      "turn-end",
    ]);
    expect(requests[0]?.prompt).toEqual([
      { role: "system", content: "Be good." },
      { role: "user", content: [{ type: "text", text: "hello" }] },
    ]);
  });

  it("runs calls in parallel, returns the results in the order of the calls, and asks again", async () => {
    const order: string[] = [];
    const fastEnded = Promise.withResolvers<void>();
    const { run, requests } = turn(
      [
        [call("1", "Slow", { a: 1 }), call("2", "Fast", {}), finish("tool-calls")],
        [...text("done"), finish()],
      ],
      {
        runTool: async ({ name }) => {
          order.push(`${name} starts`);
          if (name === "Slow") await fastEnded.promise;
          order.push(`${name} ends`);
          if (name === "Fast") fastEnded.resolve();
          return { text: name };
        },
      },
    );
    const { messages } = await run();
    expect(order).toEqual(["Slow starts", "Fast starts", "Fast ends", "Slow ends"]);
    expect(messages[2]).toMatchObject({
      role: "tool",
      results: [
        { id: "1", name: "Slow", text: "Slow", isError: false },
        { id: "2", name: "Fast", text: "Fast", isError: false },
      ],
    });
    expect(requests[1]?.prompt.at(-1)).toMatchObject({
      role: "tool",
      content: [{ toolCallId: "1" }, { toolCallId: "2" }],
    });
  });

  it("passes on what the user sent meanwhile, after the results of the tools", async () => {
    const waiting = [{ role: "user", text: "use yarn" } as const];
    const { run, requests } = turn(
      [
        [call("1", "Fast", {}), finish("tool-calls")],
        [call("2", "Fast", {}), finish("tool-calls")],
        [...text("done"), finish()],
      ],
      { runTool: async () => ({ text: "ran" }), takeMessages: async () => waiting.splice(0) },
    );
    const { messages } = await run();
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(requests[1]?.prompt.at(-1)).toEqual({
      role: "user",
      content: [{ type: "text", text: "use yarn" }],
    });
  });

  it("leaves a message alone that no further request of the turn can answer", async () => {
    const waiting = [{ role: "user", text: "wait" } as const];
    const script = [
      [call("1", "Fast", {}), finish("tool-calls")],
      [...text("done"), finish()],
    ];
    const takeMessages = async (): Promise<typeof waiting> => waiting.splice(0);
    const runTool = async (): Promise<{ text: string }> => ({ text: "ran" });
    await turn(script, { runTool, takeMessages, maxSteps: 1 }).run();
    await turn([[...text("done"), finish()]], { takeMessages }).run();
    expect(waiting).toHaveLength(1);
  });

  it("runs at most eight calls in parallel, and only 128 of a thousand", async () => {
    const many = Array.from({ length: 1000 }, (_, index) => call(String(index), "Count", {}));
    let [running, maxRunning, ran] = [0, 0, 0];
    const { run } = turn(
      [
        [...many, finish("tool-calls")],
        [...text("done"), finish()],
      ],
      {
        runTool: async () => {
          running += 1;
          ran += 1;
          maxRunning = Math.max(maxRunning, running);
          await new Promise((resolve) => void setImmediate(resolve));
          running -= 1;
          return { text: "counted" };
        },
      },
    );
    const { messages } = await run();
    expect({ maxRunning, ran }).toEqual({ maxRunning: 8, ran: 128 });
    const [, , answered] = messages;
    const results = answered?.role === "tool" ? answered.results : [];
    expect(results.map(({ id }) => id)).toEqual(many.map((_, index) => String(index)));
    expect(results.at(-1)).toMatchObject({ isError: true });
  });

  it("measures the duration of a tool from its start, without the time spent asking the user", async () => {
    const clock = manualClock();
    const { run, events } = turn(
      [
        [call("1", "Slow", {}), finish("tool-calls")],
        [...text("ok"), finish()],
      ],
      {
        clock,
        runTool: async ({ onStart }) => {
          clock.pass(5000);
          onStart?.();
          clock.pass(7);
          return { text: "ran" };
        },
      },
    );
    await run();
    expect(events.find(({ type }) => type === "tool-result")).toMatchObject({ durationMs: 7 });
  });

  it("reports input that is not a JSON object to the model, and does not run the call", async () => {
    const { run, calls } = turn([
      [call("1", "Read", "{broken"), call("2", "Read", "7"), finish("tool-calls")],
      [...text("sorry"), finish()],
    ]);
    const { messages } = await run();
    expect(calls).toEqual([]);
    expect(messages[2]).toMatchObject({ results: [{ isError: true }, { isError: true }] });
  });

  it("treats empty input as no arguments", async () => {
    const { run, calls } = turn([
      [call("1", "List", ""), finish()],
      [...text("ok"), finish()],
    ]);
    await run();
    expect(calls).toMatchObject([{ name: "List", input: {} }]);
  });

  it("ends with the outcome step-limit when the model needs more steps than allowed", async () => {
    const { run, requests } = turn(
      Array.from({ length: 5 }, () => [call("1", "Again", {}), finish("tool-calls")]),
      { maxSteps: 3 },
    );
    const { outcome, messages } = await run();
    expect(outcome).toEqual({ kind: "step-limit", maxSteps: 3 });
    expect(requests).toHaveLength(3);
    expect(messages.at(-1)?.role).toBe("tool");
  });

  it("turns an exception of a tool into a result and a notice, and continues", async () => {
    const { run, events } = turn(
      [
        [call("1", "Bad", {}), finish("tool-calls")],
        [...text("ok"), finish()],
      ],
      {
        runTool: async () => {
          throw new TypeError("x is undefined");
        },
      },
    );
    const { messages, outcome } = await run();
    expect(outcome.kind).toBe("done");
    expect(messages[2]).toMatchObject({ results: [{ isError: true }] });
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
  });

  it("ends with the outcome refused when the model declines", async () => {
    const { outcome } = await turn([[...text("No."), finish("content-filter")]]).run();
    expect(outcome.kind).toBe("refused");
  });

  it("emits a notice when an answer was cut off at the output limit", async () => {
    const { run, events } = turn([[...text("a long"), finish("length")]]);
    const { messages, outcome } = await run();
    expect(outcome.kind).toBe("done");
    expect(messages.at(-1)).toMatchObject({ cut: "length" });
    expect(types(events)).toContain("notice");
  });
});

describe("a failing model", () => {
  it.each([429, 500, 503, 529])("retries after status %i with growing delays", async (status) => {
    const clock = hastyClock();
    const { run, events } = turn(
      [failure(status), failure(status), [...text("at last"), finish()]],
      { clock },
    );
    const { outcome } = await run();
    expect(outcome.kind).toBe("done");
    const delays = events.flatMap((event) => (event.type === "retry" ? [event.delayMs] : []));
    expect(delays).toEqual([1000, 2000]);
  });

  it("waits as long as the provider asks for before a retry", async () => {
    const { run, events } = turn([failure(429, { "retry-after": "7" }), [...text("ok"), finish()]]);
    await run();
    expect(events.find(({ type }) => type === "retry")).toMatchObject({ delayMs: 7000 });
  });

  it("gives up when the provider asks for a very long wait", async () => {
    const { run, requests } = turn([failure(429, { "retry-after": "3600" })]);
    expect((await run()).outcome).toMatchObject({
      kind: "failed",
      failure: { code: "rate-limit" },
    });
    expect(requests).toHaveLength(1);
  });

  it("explains a final failure, but not one that is retried", async () => {
    const { run, events } = turn([failure(500), failure(400)], {
      explainFailure: (given) => ({ ...given, message: "Do this." }),
    });
    expect((await run()).outcome).toMatchObject({ failure: { message: "Do this." } });
    const [retried] = events.flatMap((event) => (event.type === "retry" ? [event.failure] : []));
    expect(retried?.message).not.toContain("Do this.");
  });

  it("gives up after four retries", async () => {
    const { run, requests } = turn(Array.from({ length: 9 }, () => failure(500)));
    expect((await run()).outcome).toMatchObject({ kind: "failed", failure: { code: "server" } });
    expect(requests).toHaveLength(5);
  });

  it.each([
    [401, "auth"],
    [400, "bad-request"],
    [404, "unknown-model"],
  ])("does not retry after status %i", async (status, code) => {
    const { run, requests } = turn([failure(status)]);
    expect((await run()).outcome).toMatchObject({ kind: "failed", failure: { code } });
    expect(requests).toHaveLength(1);
  });

  it("retries when a stream is truncated, and discards the incomplete answer", async () => {
    const { run, events } = turn([
      [...text("half an ans"), call("1", "Delete", {})],
      [...text("whole"), finish()],
    ]);
    const { messages } = await run();
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({ parts: [{ text: "whole" }] });
    expect(events.find(({ type }) => type === "retry")).toMatchObject({
      failure: { code: "cut-stream" },
    });
  });

  it("keeps the text but no calls of an answer that failed for good", async () => {
    const broken = [...text("half"), call("1", "Delete", {})];
    const { run, calls } = turn(Array.from({ length: 5 }, () => broken));
    const { messages, outcome } = await run();
    expect(outcome.kind).toBe("failed");
    expect(calls).toEqual([]);
    expect(messages.at(-1)).toMatchObject({
      cut: "failed",
      parts: [{ type: "text", text: "half" }],
    });
  });

  it("aborts the request when the model sends nothing for too long", async () => {
    const clock = manualClock();
    let wasCancelled = false;
    const { run } = turn(
      [
        (options) => {
          options.abortSignal?.addEventListener("abort", () => {
            wasCancelled = true;
          });
          return stuckStream(text("so"));
        },
      ],
      { clock, idleTimeoutMs: 1000, retry: { maxRetries: 0, initialDelayMs: 1, maxDelayMs: 1 } },
    );
    const running = run();
    await settle();
    clock.pass(1000);
    expect((await running).outcome).toMatchObject({ failure: { code: "timeout" } });
    expect(wasCancelled).toBe(true);
  });

  it("waits five minutes for a silent model by default", async () => {
    const clock = manualClock();
    const retry = { maxRetries: 0, initialDelayMs: 1, maxDelayMs: 1 };
    const { run } = turn([() => stuckStream(text("so"))], { clock, retry });
    let isOver = false;
    const running = run().finally(() => {
      isOver = true;
    });
    await settle();
    clock.pass(299_999);
    await settle();
    expect(isOver).toBe(false);
    clock.pass(1);
    expect((await running).outcome).toMatchObject({ failure: { code: "timeout" } });
  });
});

describe("an interrupted turn", () => {
  it("keeps the text that had arrived before the interruption", async () => {
    const controller = new AbortController();
    const { run } = turn([() => stuckStream(text("so far"))], {
      signal: controller.signal,
      emit: (event) => {
        if (event.type === "text-delta") controller.abort();
      },
    });
    const { messages, outcome } = await run();
    expect(outcome).toEqual({ kind: "interrupted" });
    expect(messages.at(-1)).toMatchObject({ cut: "interrupted", parts: [{ text: "so far" }] });
  });

  it("gives every interrupted call a result, even if the tool ignores the signal", async () => {
    const controller = new AbortController();
    const clock = manualClock();
    const { run } = turn(
      [[call("1", "Ignorant", {}), call("2", "Attentive", {}), finish("tool-calls")]],
      {
        signal: controller.signal,
        clock,
        runTool: ({ name, signal }) =>
          new Promise<ToolResult>((resolve) => {
            if (name === "Attentive") {
              signal?.addEventListener("abort", () => resolve({ text: "stopped", isError: true }));
            }
          }),
      },
    );
    const running = run();
    await settle();
    controller.abort();
    clock.pass(3000);
    const { messages, outcome } = await running;
    expect(outcome).toEqual({ kind: "interrupted" });
    expect(messages.at(-1)).toMatchObject({
      role: "tool",
      results: [
        { id: "1", isError: true },
        { id: "2", text: "stopped" },
      ],
    });
  });

  it("ends at once when it is interrupted between two attempts", async () => {
    const controller = new AbortController();
    const { run, requests } = turn([failure(500)], {
      signal: controller.signal,
      clock: manualClock(),
      emit: (event) => {
        if (event.type === "retry") setImmediate(() => controller.abort());
      },
    });
    expect((await run()).outcome).toEqual({ kind: "interrupted" });
    expect(requests).toHaveLength(1);
  });
});

it("returns a conversation in which every call has one result, whatever the model does", async () => {
  const answer = fc.oneof(
    fc.constant([...text("x"), finish()]),
    fc.constant([call("1", "A", {}), finish("tool-calls")]),
    fc.constant([call("1", "A", {}), call("2", "B", "{"), finish("length")]),
    fc.constant([...text("x"), call("1", "A", {})]),
    fc.constant(failure(400)),
    fc.constant([finish("content-filter")]),
    fc.constant([{ type: "error", error: new Error("odd") } as const]),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (script) => {
      const { run } = turn(script, {
        maxSteps: 3,
        retry: { maxRetries: 1, initialDelayMs: 1, maxDelayMs: 1 },
      });
      const { messages } = await run();
      for (const [index, message] of messages.entries()) {
        if (message.role !== "assistant") continue;
        const ids = message.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
        const next = messages[index + 1];
        const results = next?.role === "tool" ? next.results.map(({ id }) => id) : [];
        expect(results).toEqual(ids);
      }
    }),
    { numRuns: 60 },
  );
});

describe("the defaults of runTurn", () => {
  it("needs only a model and messages", async () => {
    const { model, requests } = scriptedModel([[...text("hi"), finish()]]);
    const { outcome, messages } = await runTurn({ model, messages: ASKED });
    expect(outcome).toEqual({ kind: "done" });
    expect(messages[1]).toMatchObject({ model: "test/scripted" });
    expect(requests[0]?.prompt).toEqual([
      { role: "user", content: [{ type: "text", text: "hello" }] },
    ]);
  });

  it("runs read-only tools, and denies others", async () => {
    const { model } = scriptedModel([
      [call("1", "Look", {}), call("2", "Change", {}), finish("tool-calls")],
      [...text("done"), finish()],
    ]);
    const tools = ["Look", "Change"].map((name) => ({
      name,
      description: "",
      permission: `fs.${name}`,
      isReadOnly: name === "Look",
      inputSchema: {},
      run: async () => ({ text: "ran" }),
    }));
    const { messages } = await runTurn({ model, messages: ASKED, tools });
    expect(messages[2]).toMatchObject({ results: [{ isError: false }, { isError: true }] });
  });

  it.for([
    [undefined, '"model" is required'],
    [{ messages: ASKED }, '"model" is required'],
    [{ model: {} }, '"messages" is required'],
    [{ model: {}, messages: "Hi" }, '"messages" must be a list'],
  ] as const)("rejects the input %j: %s", async ([input, message]) => {
    const wrong = input as unknown as TurnInput;
    await expect(runTurn(wrong)).rejects.toThrow(`runTurn: ${message}`);
    await expect(compactConversation(wrong)).rejects.toThrow(`compactConversation: ${message}`);
  });
});

it("attaches the data of tool results for models that run in this process", async () => {
  const { run, requests } = turn(
    [
      [call("1", "Find", {}), finish("tool-calls")],
      [...text("done"), finish()],
    ],
    { runTool: async () => ({ text: "found", data: { slugs: ["deploy"] } }) },
  );
  const { messages } = await run();
  expect(requests[1]?.prompt.at(-1)).toMatchObject({
    content: [{ providerOptions: { caliban: { slugs: ["deploy"] } } }],
  });
  expect(JSON.stringify(messages)).not.toContain("deploy");
});
