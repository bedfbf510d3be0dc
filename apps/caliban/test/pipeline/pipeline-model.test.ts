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
import { createPipelineModel } from "../../src/pipeline/pipeline-model.ts";
import type { ResolvedModel } from "@caliban/providers";
import { KEY } from "../../../../packages/providers/test/node/wire.ts";

const OFFLINE: ResolvedModel = {
  name: "offline/rehearsal",
  provider: "offline",
  model: "rehearsal",
  api: "offline",
  contextWindow: 200_000,
  acceptsImages: false,
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
  smol?: (chosen: ResolvedModel) => ResolvedModel,
): Promise<Asking> {
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  const chosen: ResolvedModel = {
    name: "acme/qwen3:8b",
    provider: "acme",
    model: "qwen3:8b",
    api: "openai-compatible",
    baseUrl: server.baseUrl("chat-completions"),
    keyVariable: "ACME_KEY",
    contextWindow: 128_000,
    acceptsImages: false,
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
    const { ask, server, model } = await asking([ANSWER, ANSWER], (chosen) => ({
      ...chosen,
      name: "acme/small",
      model: "small",
      contextWindow: 32_000,
      acceptsImages: false,
    }));
    await ask({ role: "smol" });
    await ask({ role: "default" });
    expect(server.requests.map(({ body }) => body["model"])).toEqual(["small", "qwen3:8b"]);
    expect(model.contextWindow("smol")).toBe(32_000);
    expect(model.contextWindow("default")).toBe(128_000);
  });

  it("limits the window of the small model to that of its fallback", async () => {
    const { model } = await asking([], (chosen) => ({
      ...chosen,
      name: "acme/long",
      contextWindow: 1_000_000,
      acceptsImages: false,
    }));
    expect(model.contextWindow("smol")).toBe(128_000);
  });

  it("keeps the small model after a failure that the fallback would share", async () => {
    const { ask, server, notices } = await asking(
      () => ({ status: 400, error: "messages: too few" }),
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
