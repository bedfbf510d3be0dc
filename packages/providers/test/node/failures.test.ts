import { classifyFailure } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../../../test/support/model-server/answer.ts";
import { APIS, ask, errorOf, finishOf, KEY, textOf, wire } from "./wire.ts";

const failureOf = async (
  row: (typeof APIS)[number],
  answer: Answer,
): Promise<ReturnType<typeof classifyFailure>> => {
  const { model } = await wire(row, { script: [answer] });
  const outcome = await ask(model);
  const error = errorOf(outcome);
  expect(error).toBeDefined();
  // Whatever was thrown or not, nothing passes for a whole answer.
  expect(finishOf(outcome)).not.toContain("stop");
  expect(finishOf(outcome)).not.toContain("tool-calls");
  return classifyFailure(error, `acme/${row.model}`, [KEY]);
};

const MIB = 1024 * 1024;

const LONG = "one two three four five six seven eight nine ten eleven twelve ".repeat(4);

describe.for(APIS)("over $api", (row) => {
  it.for([
    [{ status: 400, error: "messages: too few" }, "bad-request", false],
    [{ status: 400, error: "prompt is too long: 3 tokens > 2 maximum" }, "overflow", false],
    [{ status: 401, error: `wrong key ${KEY}` }, "auth", false],
    [{ status: 403, error: "not for you" }, "auth", false],
    [{ status: 404, error: "no such model" }, "unknown-model", false],
    [{ status: 413, error: "too large" }, "overflow", false],
    [{ status: 429, error: "slow down" }, "rate-limit", true],
    [{ status: 500, error: "oops" }, "server", true],
    [
      { status: 502, garbage: "<html>Bad Gateway</html>", contentType: "text/html" },
      "server",
      true,
    ],
    [{ status: 503, garbage: "" }, "server", true],
    [{ status: 529, error: "Overloaded" }, "overloaded", true],
  ] as const)("the error %j is told as %s", async ([answer, code, isTransient]) => {
    const failure = await failureOf(row, answer);
    expect(failure).toMatchObject({ code, isTransient, statusCode: answer.status });
    expect(failure.message).not.toContain(KEY);
    const words = "error" in answer ? answer.error.replace(KEY, "[key]") : "";
    expect(failure.message).toContain(words);
  });

  it("the pause that a provider wants is known", async () => {
    const answer = { status: 429, headers: { "retry-after": "7" } };
    expect(await failureOf(row, answer)).toMatchObject({ retryAfterMs: 7000 });
  });

  it.for([
    ["lost before the first byte", { cutAfterBytes: 0 }],
    ["lost in the middle", { cutAfterBytes: 700 }],
    ["ended in the middle as if it were whole", { cutAfterBytes: 700, cleanly: true }],
    ["ended before the first byte as if it were whole", { cutAfterBytes: 0, cleanly: true }],
    ["ended without the last events", { withoutEnd: true }],
  ] as const)("an answer that is %s is cut, not done", async ([, cut]) => {
    expect(await failureOf(row, { text: LONG, ...cut })).toMatchObject({
      code: "cut-stream",
      isTransient: true,
    });
  });

  it("a cut answer keeps what came of it, and its calls do not pass for whole", async () => {
    const { model } = await wire(row, {
      script: [
        { text: LONG, toolCalls: [{ name: "Read", input: { path: "a" } }], withoutEnd: true },
      ],
    });
    const outcome = await ask(model);
    expect(textOf(outcome)).toBe(LONG);
    expect(finishOf(outcome)).toEqual(["error"]);
    expect(outcome.parts.findIndex(({ type }) => type === "error")).toBeLessThan(
      outcome.parts.findIndex(({ type }) => type === "finish"),
    );
  });

  it.for([
    ["a page instead of events", { garbage: "<html>Sign in</html>", contentType: "text/html" }],
    ["JSON instead of events", { garbage: '{"ok":true}', contentType: "application/json" }],
    ["an event that is no JSON", { garbage: 'data: {"a": \n\n' }],
    ["an event of bytes that are no text", { garbage: "data: \u0000\uFFFD\u0001\n\n" }],
  ] as const)("%s is garbage, and not asked for again", async ([, answer]) => {
    expect(await failureOf(row, answer)).toMatchObject({ code: "garbage", isTransient: false });
  });

  it.for([
    ["a line without an end", { garbage: `data: ${"x".repeat(49 * MIB)}` }, 48],
    ["lines without an end", { garbage: `: ${"x".repeat(8190)}\n`.repeat(49 * 128) }, 48],
    [
      "a line that is short as long as it is compressed",
      { garbage: `data: ${"x".repeat(49 * MIB)}`, encoding: "gzip" },
      48,
    ],
    ["an error without an end", { status: 500, garbage: "x".repeat(2 * MIB) }, 1],
  ] as const)("%s is broken off", async ([, answer, limit]) => {
    expect(await failureOf(row, answer)).toEqual({
      code: "garbage",
      sentence: `the answer of acme is longer than ${limit} MiB, so it was broken off.`,
      isTransient: false,
    });
  });

  it("an event of another protocol is no answer", async () => {
    const failure = await failureOf(row, { garbage: 'data: {"unheard": "of"}\n\n' });
    expect(failure.code).toMatch(/^(?:garbage|cut-stream)$/);
  });

  it("an error inside the answer is told", async () => {
    const answer = { text: "Well, ", errorEvent: "overloaded_error", error: "Overloaded" };
    expect(await failureOf(row, answer)).toMatchObject({ code: "overloaded", isTransient: true });
  });

  it("nobody at the address is told with the address", async () => {
    const { server, model } = await wire(row, { script: [] });
    await server.close();
    const failure = classifyFailure(errorOf(await ask(model)), `acme/${row.model}`);
    expect(failure).toMatchObject({ code: "network", isTransient: false });
    expect(failure.message).toBe(`nobody answers at ${server.url}; is the server there running?`);
  });

  it.for([
    ["never answers", { hang: true }],
    ["falls silent in the middle", { text: LONG, hangAfterBytes: 600 }],
  ] as const)("a server that %s is left at once when asked to stop", async ([, answer]) => {
    const { server, model } = await wire(row, { script: [answer] });
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 80);
    const started = performance.now();
    const outcome = await ask(model, { abortSignal: stop.signal });
    expect(performance.now() - started).toBeLessThan(3000);
    expect(finishOf(outcome)).not.toContain("stop");
    expect(errorOf(outcome)).toMatchObject({ name: "AbortError" });
    expect(await server.requests[0]?.closed).toBe("gone");
  });
});
