import { describe, expect, it, onTestFinished } from "vitest";
import type { Answer } from "../../../../../test/support/model-server/answer.ts";
import {
  type ModelServer,
  type Script,
  startModelServer,
} from "../../../../../test/support/model-server/model-server.ts";
import { systemOf } from "../../../../../test/support/model-server/received-request.ts";
import { createJsonModel, type JsonReply } from "../../../src/node/json/json-model.ts";
import { APIS, KEY } from "../wire.ts";

type Row = (typeof APIS)[number];

const COMPATIBLE: Row = {
  api: "openai-compatible",
  protocol: "chat-completions",
  model: "qwen3:8b",
};

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["raw_memory"],
  properties: { raw_memory: { type: "string" } },
};

interface Asking {
  readonly server: ModelServer;
  readonly ask: (signal?: AbortSignal) => Promise<JsonReply>;
}

async function asking(script: Script, row: Row = COMPATIBLE): Promise<Asking> {
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  const { api, protocol, model: name } = row;
  const model = createJsonModel(
    {
      name: `acme/${name}`,
      provider: "acme",
      model: name,
      api,
      baseUrl: server.baseUrl(protocol),
      keyVariable: "ACME_KEY",
      contextWindow: 128_000,
      acceptsImages: false,
    },
    { env: { ACME_KEY: KEY }, secrets: [KEY] },
  );
  const request = { system: "Answer with JSON.", input: "What is durable?", schema: SCHEMA };
  const ask: Asking["ask"] = async (signal = new AbortController().signal) =>
    await model({ ...request, schemaName: "extraction", signal });
  return { server, ask };
}

const ANSWER: Answer = {
  text: '{"raw_memory":"We use pnpm."}',
  usage: { inputTokens: 120, outputTokens: 7 },
};

const ANSWERED = {
  kind: "answered",
  text: '{"raw_memory":"We use pnpm."}',
  usage: { inputTokens: 120, outputTokens: 7 },
  finishReason: "stop",
};

describe.for(APIS)("createJsonModel over $api", (row) => {
  it("requests JSON without tools, and returns the answer and its usage", async () => {
    const { ask, server } = await asking([ANSWER], row);
    expect(await ask()).toEqual(ANSWERED);
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

describe("createJsonModel with a provider that rejects schemas", () => {
  it("drops the schema for this request and all later ones", async () => {
    const { ask, server } = await asking((request) =>
      "response_format" in request.body
        ? { status: 400, error: "'response_format.type' must be 'json_schema' or 'text'" }
        : ANSWER,
    );
    expect(await ask()).toEqual(ANSWERED);
    expect(await ask()).toEqual(ANSWERED);
    expect(server.requests.map(({ body }) => "response_format" in body)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("keeps the schema after another bad request", async () => {
    const { ask, server } = await asking(() => ({ status: 400, error: "messages: too few" }));
    expect(await ask()).toMatchObject({ kind: "failed", failure: { code: "bad-request" } });
    expect(server.requests).toHaveLength(1);
  });
});

describe("createJsonModel without an answer", () => {
  it("retries a brief failure once", async () => {
    const { ask, server } = await asking([{ status: 500, error: "oops" }, ANSWER]);
    expect(await ask()).toEqual(ANSWERED);
    expect(server.requests).toHaveLength(2);
  });

  it("reports a failure without the key", async () => {
    const { ask } = await asking(() => ({ status: 401, error: `wrong key ${KEY}` }));
    const reply = await ask();
    expect(reply).toMatchObject({ kind: "failed", failure: { code: "auth" } });
    expect(JSON.stringify(reply)).not.toContain(KEY);
  });

  it("aborts an answer that does not end, and estimates what it cost", async () => {
    const { ask } = await asking(() => ({
      text: Array.from({ length: 40 }, () => "x".repeat(65_536)),
    }));
    const reply = await ask();
    expect(reply.kind).toBe("too-long");
    expect("usage" in reply && reply.usage?.outputTokens).toBeGreaterThan(200_000);
  });

  it("reports an abort by its signal as an interruption", async () => {
    const { ask, server } = await asking(() => ({ hang: true }));
    const stopping = new AbortController();
    const asked = ask(stopping.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    stopping.abort();
    expect(await asked).toEqual({ kind: "interrupted" });
  });
});
