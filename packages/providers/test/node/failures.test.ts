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
  // Whatever was thrown, nothing passes for a complete answer.
  expect(finishOf(outcome)).not.toContain("stop");
  expect(finishOf(outcome)).not.toContain("tool-calls");
  return classifyFailure(error, `acme/${row.model}`, [KEY]);
};

const MIB = 1024 * 1024;

function tooLong(limitMib: number): ReturnType<typeof classifyFailure> {
  const message = `the response from acme is longer than ${limitMib} MiB and was cancelled.`;
  return { code: "garbage", message, isTransient: false };
}

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
      { status: 502, rawBody: "<html>Bad Gateway</html>", contentType: "text/html" },
      "server",
      true,
    ],
    [{ status: 503, rawBody: "" }, "server", true],
    [{ status: 529, error: "Overloaded" }, "overloaded", true],
  ] as const)("classifies the error %j as %s", async ([answer, code, isTransient]) => {
    const failure = await failureOf(row, answer);
    expect(failure).toMatchObject({ code, isTransient, statusCode: answer.status });
    expect(failure.message).not.toContain(KEY);
    const words = "error" in answer ? answer.error.replace(KEY, "[key]") : "";
    expect(failure.message).toContain(words);
  });

  it("reads the retry delay that the provider asks for", async () => {
    const answer = { status: 429, headers: { "retry-after": "7" } };
    expect(await failureOf(row, answer)).toMatchObject({ retryAfterMs: 7000 });
  });

  it.for([
    ["lost before the first byte", { cutAfterBytes: 0 }],
    ["lost in the middle", { cutAfterBytes: 700 }],
    ["ended in the middle as if it were complete", { cutAfterBytes: 700, cleanly: true }],
    ["ended before the first byte as if it were complete", { cutAfterBytes: 0, cleanly: true }],
    ["ended without the last events", { withoutEnd: true }],
  ] as const)("reports an answer that is %s as truncated", async ([, cut]) => {
    expect(await failureOf(row, { text: LONG, ...cut })).toMatchObject({
      code: "cut-stream",
      isTransient: true,
    });
  });

  it("keeps the text of a truncated answer, but not its incomplete calls", async () => {
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
    ["a page instead of events", { rawBody: "<html>Sign in</html>", contentType: "text/html" }],
    ["JSON instead of events", { rawBody: '{"ok":true}', contentType: "application/json" }],
    ["an event that is not valid JSON", { rawBody: 'data: {"a": \n\n' }],
    ["an event of bytes that are not text", { rawBody: "data: \u0000\uFFFD\u0001\n\n" }],
  ] as const)("reports %s as an invalid response that is not retried", async ([, answer]) => {
    expect(await failureOf(row, answer)).toMatchObject({ code: "garbage", isTransient: false });
  });

  it.for([
    ["lines without an end", { rawBody: `: ${"x".repeat(8190)}\n`.repeat(49 * 128) }, 48],
    ["an error without an end", { status: 500, rawBody: "x".repeat(2 * MIB) }, 1],
  ] as const)("cancels %s", async ([, answer, limit]) => {
    expect(await failureOf(row, answer)).toEqual(tooLong(limit));
  });

  it("rejects an event of another protocol", async () => {
    const failure = await failureOf(row, { rawBody: 'data: {"unheard": "of"}\n\n' });
    expect(failure.code).toMatch(/^(?:garbage|cut-stream)$/);
  });

  it("reports an error inside the answer", async () => {
    const answer = { text: "Well, ", errorEvent: "overloaded_error", error: "Overloaded" };
    expect(await failureOf(row, answer)).toMatchObject({ code: "overloaded", isTransient: true });
  });

  it("names the address at which no server answers", async () => {
    const { server, model } = await wire(row, { script: [] });
    await server.close();
    const failure = classifyFailure(errorOf(await ask(model)), `acme/${row.model}`);
    expect(failure).toMatchObject({ code: "network", isTransient: false });
    expect(failure.message).toBe(`cannot connect to ${server.url}; is the server running?`);
  });

  it.for([
    ["never answers", { hang: true }],
    ["falls silent in the middle", { text: LONG, hangAfterBytes: 600 }],
  ] as const)("disconnects immediately from a server that %s when aborted", async ([, answer]) => {
    const { server, model } = await wire(row, { script: [answer] });
    const stop = new AbortController();
    const asked = ask(model, { abortSignal: stop.signal });
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(1);
    stop.abort();
    const outcome = await asked;
    expect(finishOf(outcome)).not.toContain("stop");
    expect(errorOf(outcome)).toMatchObject({ name: "AbortError" });
    expect(await server.requests[0]?.closed).toBe("gone");
  });
});

// The transport counts bytes below every protocol, so one of them is enough for the large bodies.
it.for([
  ["a line without an end", {}],
  ["a line without an end that is short while compressed", { encoding: "gzip" }],
] as const)("cancels %s", async ([, encoding]) => {
  const [row] = APIS;
  if (row === undefined) throw new Error("no API is tested");
  const answer = { rawBody: `data: ${"x".repeat(49 * MIB)}`, ...encoding };
  expect(await failureOf(row, answer)).toEqual(tooLong(48));
});
