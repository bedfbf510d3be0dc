import {
  type CompletionModel,
  type CompletionRequest,
  PipelineError,
} from "@caliban/autonomous-memory";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Answer } from "../../../../test/support/model-server/answer.ts";
import {
  type ModelServer,
  type Script,
  startModelServer,
} from "../../../../test/support/model-server/model-server.ts";
import { systemOf } from "../../../../test/support/model-server/received-request.ts";
import { createPipelineModel } from "../../src/pipeline/pipeline-model.ts";
import type { ResolvedModel } from "@caliban/providers";
import { APIS, KEY } from "../../../../packages/providers/test/node/wire.ts";

type Row = (typeof APIS)[number];

const COMPATIBLE: Row = {
  api: "openai-compatible",
  protocol: "chat-completions",
  model: "qwen3:8b",
};

const OFFLINE: ResolvedModel = {
  name: "offline/rehearsal",
  provider: "offline",
  model: "rehearsal",
  api: "offline",
  contextWindow: 200_000,
};

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["raw_memory"],
  properties: { raw_memory: { type: "string" } },
};

interface Asking {
  readonly server: ModelServer;
  readonly model: CompletionModel;
  readonly notices: readonly string[];
  readonly ask: (more?: Partial<CompletionRequest>) => ReturnType<CompletionModel["complete"]>;
}

async function asking(
  script: Script,
  row: Row = COMPATIBLE,
  smol?: (chosen: ResolvedModel) => ResolvedModel,
): Promise<Asking> {
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  const { api, protocol, model: name } = row;
  const chosen: ResolvedModel = {
    name: `acme/${name}`,
    provider: "acme",
    model: name,
    api,
    baseUrl: server.baseUrl(protocol),
    keyVariable: "ACME_KEY",
    contextWindow: 128_000,
  };
  const notices: string[] = [];
  const model = createPipelineModel({
    models: { default: chosen, smol: smol?.(chosen) ?? chosen },
    env: { ACME_KEY: KEY },
    secrets: [KEY],
    onNotice: (sentence) => void notices.push(sentence),
  });
  const ask: Asking["ask"] = (more) =>
    model.complete({
      role: "default",
      system: "Answer with JSON.",
      input: "What is durable?",
      schema: SCHEMA,
      signal: new AbortController().signal,
      task: { kind: "extract", threadId: "t", updatedAt: "2026-11-16", turns: [] },
      ...more,
    });
  return { server, model, notices, ask };
}

const ANSWER: Answer = {
  text: '{"raw_memory":"We use pnpm."}',
  usage: { inputTokens: 120, outputTokens: 7 },
};

async function failureOf(answer: Answer): Promise<PipelineError> {
  const { ask } = await asking(() => answer);
  const error: unknown = await ask().then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof PipelineError)) throw new Error("it did not fail as it should");
  return error;
}

describe.for(APIS)("a question over $api", (row) => {
  it("asks for JSON without tools, and tells what was answered and what it took", async () => {
    const { ask, server } = await asking([ANSWER], row);
    expect(await ask()).toEqual({
      text: '{"raw_memory":"We use pnpm."}',
      usage: { inputTokens: 120, outputTokens: 7 },
      finishReason: "stop",
    });
    const [request] = server.requests;
    expect(request && systemOf(request)).toContain("Answer with JSON.");
    expect(request?.text).toContain("What is durable?");
    expect(request?.text).toMatch(FORMATS[row.api]);
    expect(request?.body["tools"] ?? []).toEqual([]);
    // Room for an answer, and no more than an older model may say.
    expect(request?.text).toMatch(/"(?:max_tokens|max_output_tokens|maxOutputTokens)":16000\b/);
  });
});

const FORMATS = {
  anthropic: /"output_config":.*"json_schema"/,
  openai: /"type":"json_schema"/,
  google: /"responseMimeType":"application\/json".*"raw_memory"/,
  "openai-compatible": /"response_format":\{"type":"json_object"\}/,
};

describe("a provider that cannot be held to a form", () => {
  it("is asked in words alone, also the next time", async () => {
    const { ask, server } = await asking((request) =>
      "response_format" in request.body
        ? { status: 400, error: "'response_format.type' must be 'json_schema' or 'text'" }
        : ANSWER,
    );
    expect((await ask()).text).toContain("pnpm");
    expect((await ask()).text).toContain("pnpm");
    expect(server.requests.map(({ body }) => "response_format" in body)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("is not asked again for another mistake", async () => {
    const { ask, server } = await asking(() => ({ status: 400, error: "messages: too few" }));
    await expect(ask()).rejects.toMatchObject({ code: "PERMANENT" });
    expect(server.requests).toHaveLength(1);
  });
});

describe("a failure", () => {
  it.for([
    [{ status: 400, error: "prompt is too long: 3 tokens > 2 maximum" }, "OVERFLOW"],
    [{ status: 401, error: `wrong key ${KEY}` }, "SETUP"],
    [{ status: 404, error: "no such model" }, "SETUP"],
    [{ status: 429, error: "slow down", headers: { "retry-after": "600" } }, "TRANSIENT"],
    [{ status: 500, error: "oops" }, "TRANSIENT"],
    [{ status: 529, error: "Overloaded" }, "TRANSIENT"],
    [{ text: "half an ans", withoutEnd: true }, "TRANSIENT"],
    [{ garbage: "<html>hello</html>", contentType: "text/html" }, "PERMANENT"],
    [{ status: 400, error: "messages: too few" }, "PERMANENT"],
  ] as const)("%j is of the kind %s", async ([answer, code]) => {
    const failure = await failureOf(answer);
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain(KEY);
  });

  it("tells how long the provider wants to be left alone, and is not tried again before", async () => {
    const { ask, server } = await asking(() => ({ status: 429, headers: { "retry-after": "7" } }));
    await expect(ask()).rejects.toMatchObject({ retryAfterMs: 7000 });
    expect(server.requests).toHaveLength(1);
  });

  it("of a moment is tried once more", async () => {
    const { ask, server } = await asking([{ status: 500, error: "oops" }, ANSWER]);
    expect((await ask()).text).toContain("pnpm");
    expect(server.requests).toHaveLength(2);
  });

  it("of the key names the variable and never the key", async () => {
    const { message } = await failureOf({ status: 401, error: `wrong key ${KEY}` });
    expect(message).toContain("ACME_KEY");
    expect(message).not.toContain(KEY);
  });

  it("is an answer without an end", async () => {
    const failure = await failureOf({ text: Array.from({ length: 40 }, () => "x".repeat(65_536)) });
    expect(failure).toMatchObject({
      code: "PERMANENT",
      message: expect.stringContaining("is too long, so it was broken off"),
    });
  });
});

describe("the end of an answer", () => {
  it.for([
    [{ ...ANSWER, stopAtLength: true }, "length"],
    [{ ...ANSWER, refusal: true }, "refusal"],
  ] as const)("%j is told as %s", async ([answer, finishReason]) => {
    const { ask } = await asking([answer]);
    expect(await ask()).toMatchObject({ finishReason });
  });

  it("is the person's when they stop it", async () => {
    const { ask, server } = await asking(() => ({ hang: true }));
    const stopping = new AbortController();
    const asked = ask({ signal: stopping.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    stopping.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});

describe("the model for small work", () => {
  it("is asked for its own, and seen to be smaller", async () => {
    const { ask, server, model } = await asking([ANSWER, ANSWER], COMPATIBLE, (chosen) => ({
      ...chosen,
      name: "acme/small",
      model: "small",
      contextWindow: 32_000,
    }));
    await ask({ role: "smol" });
    await ask({ role: "default" });
    expect(server.requests.map(({ body }) => body["model"])).toEqual(["small", "qwen3:8b"]);
    expect(model.contextWindow("smol")).toBe(32_000);
    expect(model.contextWindow("default")).toBe(128_000);
  });

  it("is given no more than the one that would take over can see", async () => {
    const { model } = await asking([], COMPATIBLE, (chosen) => ({
      ...chosen,
      name: "acme/long",
      contextWindow: 1_000_000,
    }));
    expect(model.contextWindow("smol")).toBe(128_000);
  });

  it("is not replaced for a failure that the other would have, too", async () => {
    const { ask, server, notices } = await asking(
      () => ({ status: 400, error: "messages: too few" }),
      COMPATIBLE,
      (chosen) => ({ ...chosen, name: "acme/small", model: "small" }),
    );
    await expect(ask({ role: "smol" })).rejects.toMatchObject({ code: "PERMANENT" });
    await expect(ask({ role: "smol" })).rejects.toMatchObject({ code: "PERMANENT" });
    expect(server.requests.map(({ body }) => body["model"])).toEqual(["small", "small"]);
    expect(notices).toEqual([]);
  });

  it("is replaced by the one that answers when it cannot be had, which is said once", async () => {
    const { ask, server, notices } = await asking(
      ({ body }) => (body["model"] === "gone" ? { status: 404, error: "no such model" } : ANSWER),
      COMPATIBLE,
      (chosen) => ({ ...chosen, name: "acme/gone", model: "gone" }),
    );
    expect((await ask({ role: "smol" })).text).toContain("pnpm");
    expect((await ask({ role: "smol" })).text).toContain("pnpm");
    expect(server.requests.map(({ body }) => body["model"])).toEqual([
      "gone",
      "qwen3:8b",
      "qwen3:8b",
    ]);
    expect(notices).toEqual([expect.stringContaining("acme/gone for small work cannot be had")]);
  });
});

describe("who extracts", () => {
  it("is the rules without a model, and one id for all models, which read again what rules read", async () => {
    const { model } = await asking([]);
    expect(model.extractor).toEqual({ id: "model/1", replaces: ["rules/1"] });
    const rules = createPipelineModel({
      models: { default: OFFLINE, smol: OFFLINE },
      env: {},
      secrets: [],
      onNotice: () => undefined,
    });
    expect(rules.extractor).toEqual({ id: "rules/1", replaces: [] });
    const { text } = await rules.complete({
      role: "default",
      system: "",
      input: "",
      schema: {},
      signal: new AbortController().signal,
      task: {
        kind: "extract",
        threadId: "t",
        updatedAt: "2026-11-16",
        turns: [{ kind: "user", text: "Always use pnpm, never npm." }],
      },
    });
    expect(text).toContain("pnpm");
  });
});
