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
    onNotice: ({ message }) => void notices.push(message),
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
  if (!(error instanceof PipelineError)) throw new Error("it did not fail as expected");
  return error;
}

describe.for(APIS)("createPipelineModel over $api", (row) => {
  it("requests JSON without tools, and returns the answer and its usage", async () => {
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
    // Enough for an answer, and no more than older models allow.
    expect(request?.text).toMatch(/"(?:max_tokens|max_output_tokens|maxOutputTokens)":16000\b/);
  });
});

const FORMATS = {
  anthropic: /"output_config":.*"json_schema"/,
  openai: /"type":"json_schema"/,
  google: /"responseMimeType":"application\/json".*"raw_memory"/,
  "openai-compatible": /"response_format":\{"type":"json_object"\}/,
};

describe("createPipelineModel with a provider that rejects schemas", () => {
  it("drops the schema for this request and all later ones", async () => {
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

  it("keeps the schema after another bad request", async () => {
    const { ask, server } = await asking(() => ({ status: 400, error: "messages: too few" }));
    await expect(ask()).rejects.toMatchObject({ code: "PERMANENT" });
    expect(server.requests).toHaveLength(1);
  });
});

describe("createPipelineModel with a failing provider", () => {
  it.for([
    [{ status: 400, error: "prompt is too long: 3 tokens > 2 maximum" }, "OVERFLOW"],
    [{ status: 401, error: `wrong key ${KEY}` }, "SETUP"],
    [{ status: 404, error: "no such model" }, "SETUP"],
    [{ status: 429, error: "slow down", headers: { "retry-after": "600" } }, "TRANSIENT"],
    [{ status: 500, error: "oops" }, "TRANSIENT"],
    [{ status: 529, error: "Overloaded" }, "TRANSIENT"],
    [{ text: "half an ans", withoutEnd: true }, "TRANSIENT"],
    [{ rawBody: "<html>hello</html>", contentType: "text/html" }, "PERMANENT"],
    [{ status: 400, error: "messages: too few" }, "PERMANENT"],
  ] as const)("classifies %j as %s", async ([answer, code]) => {
    const failure = await failureOf(answer);
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain(KEY);
  });

  it("reports the delay that the provider asks for, and does not retry before", async () => {
    const { ask, server } = await asking(() => ({ status: 429, headers: { "retry-after": "7" } }));
    await expect(ask()).rejects.toMatchObject({ retryAfterMs: 7000 });
    expect(server.requests).toHaveLength(1);
  });

  it("retries a brief failure once", async () => {
    const { ask, server } = await asking([{ status: 500, error: "oops" }, ANSWER]);
    expect((await ask()).text).toContain("pnpm");
    expect(server.requests).toHaveLength(2);
  });

  it("names the variable of an invalid key and never the key", async () => {
    const { message } = await failureOf({ status: 401, error: `wrong key ${KEY}` });
    expect(message).toContain("ACME_KEY");
    expect(message).not.toContain(KEY);
  });

  it("aborts an answer that does not end", async () => {
    const failure = await failureOf({ text: Array.from({ length: 40 }, () => "x".repeat(65_536)) });
    expect(failure).toMatchObject({
      code: "PERMANENT",
      message: expect.stringContaining("was aborted because it is too long"),
    });
  });
});

describe("createPipelineModel: the end of an answer", () => {
  it.for([
    [{ ...ANSWER, stopAtLength: true }, "length"],
    [{ ...ANSWER, refusal: true }, "refusal"],
  ] as const)("reports %j as %s", async ([answer, finishReason]) => {
    const { ask } = await asking([answer]);
    expect(await ask()).toMatchObject({ finishReason });
  });

  it("rejects with the reason of the user's abort", async () => {
    const { ask, server } = await asking(() => ({ hang: true }));
    const stopping = new AbortController();
    const asked = ask({ signal: stopping.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    stopping.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});

describe("createPipelineModel: the small model", () => {
  it("asks the small model for its role, with its own window", async () => {
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

  it("limits the window of the small model to that of its fallback", async () => {
    const { model } = await asking([], COMPATIBLE, (chosen) => ({
      ...chosen,
      name: "acme/long",
      contextWindow: 1_000_000,
    }));
    expect(model.contextWindow("smol")).toBe(128_000);
  });

  it("keeps the small model after a failure that the fallback would share", async () => {
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

  it("falls back to the default model when the small one is not available, and reports it once", async () => {
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
    expect(notices).toEqual([
      expect.stringContaining("the model for small tasks, acme/gone, is not available"),
    ]);
  });
});

describe("createPipelineModel: the extractor", () => {
  it("uses rules offline, and one id for all models, which replaces the rules", async () => {
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
