import {
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
} from "@ai-sdk/provider";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyFailure } from "../../src/model/classify-failure.ts";

const URL_OF_CALL = "https://api.example.com/v1/messages";

interface CallInput {
  readonly status?: number;
  readonly message?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

const call = ({ status, message = "", body, headers, cause }: CallInput): APICallError =>
  new APICallError({
    message,
    url: URL_OF_CALL,
    requestBodyValues: { secretPrompt: "do not show" },
    ...(status !== undefined && { statusCode: status }),
    ...(body !== undefined && { responseBody: body }),
    ...(headers !== undefined && { responseHeaders: { ...headers } }),
    cause,
  });
const coded = (code: string, message = code): Error => Object.assign(new Error(message), { code });
const classify = (error: unknown, secrets: readonly string[] = []) =>
  classifyFailure(error, "acme/big-1", secrets);

describe("an HTTP error", () => {
  it.for([
    [400, "messages: must not be empty", "bad-request", false],
    [401, "invalid x-api-key", "auth", false],
    [402, "Payment required", "rate-limit", false],
    [403, "not allowed in your country", "auth", false],
    [404, "model: big-1", "unknown-model", false],
    [405, "", "bad-request", false],
    [408, "", "timeout", true],
    [409, "", "server", true],
    [413, "request too large", "overflow", false],
    [418, "", "bad-request", false],
    [422, "", "bad-request", false],
    [429, "slow down", "rate-limit", true],
    [500, "", "server", true],
    [502, "Bad Gateway", "server", true],
    [503, "", "server", true],
    [504, "", "timeout", true],
    [529, "Overloaded", "overloaded", true],
    [529, "", "overloaded", true],
    [599, "", "server", true],
  ] as const)(
    "classifies status %i with %j as %s (transient: %s)",
    ([status, message, code, isTransient]) => {
      const failure = classify(call({ status, message }));
      expect(failure).toMatchObject({ code, isTransient, statusCode: status });
      expect(failure.message).toContain(message);
      expect(failure.message).toContain(`(${status})`);
    },
  );

  it.for([
    [400, "prompt is too long: 210000 tokens > 200000 maximum"],
    [400, "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"],
    [400, "Your input exceeds the context window of this model. Please adjust your input."],
    [400, "This model's maximum context length is 8192 tokens, however you requested 9000"],
    [
      400,
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ],
    [400, "This endpoint's maximum context length is 131072 tokens."],
    [400, "the request exceeds the available context size. try increasing the context size"],
    [400, "Trying to keep the first 9000 tokens when context the overflows."],
    [400, "exceed_context_size_error"],
    [500, "context length exceeded"],
    [413, "Request exceeds the maximum size"],
  ] as const)("classifies status %i with %j as overflow", ([status, message]) => {
    expect(classify(call({ status, message })).code).toBe("overflow");
    expect(classify(call({ status, message: "", body: JSON.stringify({ message }) })).code).toBe(
      "overflow",
    );
  });

  it.for([
    [400, "API key not valid. Please pass a valid API key.", "auth", false],
    [400, "The requested model 'big-1' does not exist.", "unknown-model", false],
    [404, 'model "big-1" not found, try pulling it first', "unknown-model", false],
    [400, "Your credit balance is too low to access the API.", "rate-limit", false],
    [429, "You exceeded your current quota, please check your plan.", "rate-limit", false],
    [503, "The model is overloaded. Please try again later.", "overloaded", true],
  ] as const)(
    "classifies status %i by its text %j as %s",
    ([status, message, code, isTransient]) => {
      expect(classify(call({ status, message }))).toMatchObject({ code, isTransient });
    },
  );

  it("suggests checking the name and the address of an unknown model", () => {
    expect(classify(call({ status: 404, message: "nope" })).message).toBe(
      "acme does not know the model acme/big-1 (404): nope. Check the model name and the address https://api.example.com/v1/messages.",
    );
    expect(classify(call({ status: 401, message: "bad key" })).message).toBe(
      "acme rejected the API key (401): bad key.",
    );
  });

  it.for([
    ["https://u:p@x.example/a/b?key=hidden#hidden", "https://x.example/a/b"],
    ["http://x.example/my-key/chat", "http://x.example/[key]/chat"],
  ] as const)("shows the address %j as %j", ([url, shown]) => {
    const error = new APICallError({ message: "", url, requestBodyValues: {}, statusCode: 404 });
    expect(classify(error, ["my-key"]).message).toContain(`and the address ${shown}.`);
  });
});

describe("the wait that a provider asks for", () => {
  it.for([
    [{ "retry-after": "3" }, "", 3000],
    [{ "retry-after": "0" }, "", 0],
    [{ "retry-after": "1.5" }, "", 1500],
    [{ "retry-after-ms": "250", "retry-after": "3" }, "", 250],
    [
      { "retry-after": "Wed, 21 Oct 2026 07:28:10 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" },
      "",
      10_000,
    ],
    [{ "retry-after": "Wed, 21 Oct 2026 07:28:10 GMT" }, "", undefined],
    [
      { "retry-after": "Wed, 21 Oct 2026 07:27:00 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" },
      "",
      undefined,
    ],
    [{ "retry-after": "soon" }, "", undefined],
    [{ "retry-after": "-4" }, "", undefined],
    [{ "retry-after": "99999999999" }, "", 86_400_000],
    [{}, '{"error":{"details":[{"retryDelay": "34.2s"}]}}', 34_200],
    [{}, "", undefined],
  ] as const)("reads the wait from %j and %j as %s ms", ([headers, body, expected]) => {
    expect(classify(call({ status: 429, headers, body })).retryAfterMs).toBe(expected);
  });
});

describe("a failed connection", () => {
  it.for([
    [
      "ECONNREFUSED",
      "network",
      false,
      "cannot connect to https://api.example.com; is the server running?",
    ],
    [
      "ENOTFOUND",
      "network",
      false,
      "cannot resolve the host of https://api.example.com; check the host name",
    ],
    ["EAI_AGAIN", "network", true, "cannot resolve the host"],
    ["ECONNRESET", "network", true, "lost the connection to https://api.example.com."],
    ["EPIPE", "network", true, "lost the connection"],
    ["UND_ERR_SOCKET", "network", true, "lost the connection"],
    ["Z_BUF_ERROR", "network", true, "lost the connection"],
    ["ENETUNREACH", "network", true, "check the network connection"],
    ["ETIMEDOUT", "timeout", true, "took too long"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout", true, "took too long"],
    ["UND_ERR_HEADERS_TIMEOUT", "timeout", true, "took too long"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "network", false, "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "network", false, "NODE_EXTRA_CA_CERTS"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "network", false, "NODE_EXTRA_CA_CERTS"],
    ["HPE_INVALID_CONSTANT", "garbage", false, "does not speak HTTP"],
    ["EPROTO", "garbage", false, "does not speak HTTP"],
  ] as const)("classifies a connection error %s as %s", ([code, expected, isTransient, words]) => {
    const wrapped = call({ message: "Cannot connect to API", cause: coded(code) });
    const failure = classify(wrapped);
    expect(failure).toMatchObject({ code: expected, isTransient });
    expect(failure.message).toContain(words);
    const deep = new Error("outer", { cause: new Error("inner", { cause: coded(code) }) });
    expect(classify(deep)).toMatchObject({ code: expected, isTransient });
  });

  it("classifies a connection lost in the middle of a response as a truncated stream", () => {
    const error = call({ status: 200, message: "Failed", cause: coded("ECONNRESET") });
    expect(classify(error)).toEqual({
      code: "cut-stream",
      message: "the response from acme ended before it was complete.",
      isTransient: true,
    });
    expect(classify(call({ status: 200, cause: coded("ETIMEDOUT") })).code).toBe("timeout");
  });

  it("passes on what the transport says about a redirect", () => {
    const message = "https://a redirects to https://b, which is not followed; set base_url";
    expect(classify(coded("REDIRECTED", message))).toMatchObject({
      code: "bad-request",
      message: `${message}.`,
      isTransient: false,
    });
  });

  it("classifies a connection that was never established as a network failure", () => {
    expect(classify(call({ message: "Cannot connect to API: odd" }))).toMatchObject({
      code: "network",
      isTransient: true,
    });
  });

  it("ends for an error that is its own cause", () => {
    const error = new Error("a");
    error.cause = error;
    expect(classify(error).code).toBe("garbage");
  });
});

describe("an invalid response", () => {
  it.for([
    [new InvalidResponseDataError({ data: 1, message: "no such thing" })],
    [new JSONParseError({ text: "<html>", cause: new Error("Unexpected token") })],
    [new TypeValidationError({ value: { a: 1 }, cause: new Error("bad") })],
    [new EmptyResponseBodyError({})],
    [new Error("Expected a normalized Anthropic stream error")],
    [call({ status: 200, message: "Invalid JSON response", cause: new Error("x") })],
    ["a text"],
    [undefined],
  ] as const)("classifies %s as a permanent invalid response", ([error]) => {
    expect(classify(error)).toMatchObject({ code: "garbage", isTransient: false });
  });

  it.for([undefined, 200, 500])(
    "reports an endless response with its size limit (status %s)",
    (status) => {
      const cause = Object.assign(coded("TOO_LONG"), { limitBytes: 16 * 1024 * 1024 });
      const error = call({ ...(status !== undefined && { status }), cause });
      const expected = {
        code: "garbage",
        message: "the response from acme is longer than 16 MiB and was cancelled.",
        isTransient: false,
      };
      expect(classify(error)).toEqual(expected);
      expect(classify(cause)).toEqual(expected);
      expect(classify(coded("TOO_LONG")).message).toBe(
        "the response from acme is too long and was cancelled.",
      );
    },
  );

  it("classifies a stream without a finish reason as truncated", () => {
    const message = "Response stream ended without a finish reason.";
    expect(classify(new InvalidResponseDataError({ data: undefined, message })).code).toBe(
      "cut-stream",
    );
  });
});

describe("an error inside a stream", () => {
  it.for([
    [{ message: "Overloaded", type: "overloaded_error", statusCode: 529 }, "overloaded", true],
    [{ message: "Overloaded", type: "overloaded_error" }, "overloaded", true],
    [{ message: "busy", type: "UNAVAILABLE", code: 503 }, "overloaded", true],
    [{ message: "x", type: "rate_limit_error" }, "rate-limit", true],
    [{ message: "x", type: "invalid_request_error" }, "bad-request", false],
    [{ message: "x", code: "context_length_exceeded" }, "overflow", false],
    [{ message: "x", type: "api_error" }, "server", true],
    [{ statusCode: 500 }, "server", true],
    [{}, "server", true],
  ] as const)("classifies the stream error %j as %s", ([error, code, isTransient]) => {
    expect(classify(error)).toMatchObject({ code, isTransient });
  });
});

describe("the message of a failure", () => {
  it.for([
    "Incorrect API key provided: sk-ant-REDACTED_abc",
    "Incorrect API key provided: sk-proj-****abcd",
    "bad key AIzaSyD-1234567890abcdef",
    "header Authorization: Bearer abc.def-ghi",
    "key gsk_1234567890abcdef",
    "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
    "you sent my-very-own-key, which is wrong",
  ])("masks keys in a failure message: %s", (message) => {
    const { message: shown } = classify(call({ status: 401, message }), ["my-very-own-key", ""]);
    expect(shown).toContain("[key]");
    for (const part of ["api03", "proj", "AIza", "abc.def", "gsk_1", "eyJ", "my-very"]) {
      expect(shown).not.toContain(part);
    }
  });

  it("keeps a failure message short, on one line and safe for a terminal", () => {
    const message = `a\nb\u001b[31m\u202e ${"x".repeat(5000)}`;
    const { message: shown } = classify(call({ status: 400, message }));
    // oxlint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(shown.length).toBeLessThan(400);
  });

  it("never shows the request in a failure", () => {
    expect(JSON.stringify(classify(call({ status: 400, message: "no" })))).not.toContain(
      "do not show",
    );
  });

  it("gives a message for anything that is thrown", () => {
    const thrown = fc.oneof(
      fc.constantFrom<unknown>(null, undefined, 3, "", Symbol.iterator, [], () => 1),
      fc.record({ message: fc.constantFrom("", "a"), type: fc.constantFrom(1, "x", {}) }),
      fc
        .record({ status: fc.integer({ min: 100, max: 600 }), message: fc.constantFrom("", "m") })
        .map(call),
    );
    fc.assert(
      fc.property(thrown, (error) => {
        const { message: shown } = classify(error);
        expect(shown).toMatch(/[.?…]$/);
      }),
    );
  });
});
