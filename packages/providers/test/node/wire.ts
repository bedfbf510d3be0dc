import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { ProviderApi } from "../../src/provider-settings.ts";
import { onTestFinished } from "vitest";
import {
  type ModelServer,
  type ModelServerInput,
  startModelServer,
} from "../../../../test/support/model-server/model-server.ts";
import type { Protocol } from "../../../../test/support/model-server/received-request.ts";
import { openModel } from "../../src/node/open-model.ts";

/** Each supported protocol with a model name. */
export const APIS: readonly {
  readonly api: ProviderApi;
  readonly protocol: Protocol;
  readonly model: string;
}[] = [
  { api: "anthropic", protocol: "anthropic", model: "claude-sonnet-5-5" },
  { api: "openai", protocol: "openai-responses", model: "gpt-6.1-sol" },
  { api: "google", protocol: "gemini", model: "gemini-pro-latest" },
  { api: "openai-compatible", protocol: "chat-completions", model: "qwen3:8b" },
];

export const KEY = "sk-test-0123456789";

export interface Wire {
  readonly server: ModelServer;
  readonly model: LanguageModelV4;
}

/** A real provider that talks to a server on loopback. */
export async function wire(
  { api, protocol, model }: (typeof APIS)[number],
  input: ModelServerInput,
): Promise<Wire> {
  const server = await startModelServer(input);
  onTestFinished(server.close);
  const chosen = {
    name: `acme/${model}`,
    provider: "acme",
    model,
    api,
    baseUrl: server.baseUrl(protocol),
    keyVariable: "ACME_KEY",
    contextWindow: 1000,
    acceptsImages: true,
  };
  return { server, model: await openModel(chosen, { env: { ACME_KEY: ` ${KEY}\n` } }) };
}

const TOOLS: LanguageModelV4CallOptions["tools"] = ["Read", "Bash"].map((name) => ({
  type: "function",
  name,
  description: `The tool ${name}.`,
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
    additionalProperties: false,
  },
}));

export const HELLO: LanguageModelV4Prompt = [
  { role: "system", content: "You are a test." },
  { role: "user", content: [{ type: "text", text: "Hello" }] },
];

/** The outcome of a request: its parts, and the error that was thrown, if any. */
export interface Outcome {
  readonly parts: readonly LanguageModelV4StreamPart[];
  readonly thrown: unknown;
}

/** Sends a request and reads the stream to the end. */
export async function ask(
  model: LanguageModelV4,
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<Outcome> {
  const parts: LanguageModelV4StreamPart[] = [];
  try {
    const { stream } = await model.doStream({ prompt: HELLO, tools: TOOLS ?? [], ...options });
    for await (const part of stream) parts.push(part);
    return { parts, thrown: undefined };
  } catch (error) {
    return { parts, thrown: error };
  }
}

export function textOf({ parts }: Outcome): string {
  return parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
}

export function callsOf({ parts }: Outcome): readonly (readonly [string, unknown])[] {
  return parts.flatMap((part) =>
    part.type === "tool-call" ? [[part.toolName, JSON.parse(part.input)] as const] : [],
  );
}

/** The finish reasons; an answer has exactly one. */
export function finishOf({ parts }: Outcome): readonly string[] {
  return parts.flatMap((part) => (part.type === "finish" ? [part.finishReason.unified] : []));
}

/** What a loop would report: the thrown error, or the first error in the stream. */
export function errorOf({ parts, thrown }: Outcome): unknown {
  return thrown ?? parts.find((part) => part.type === "error")?.error;
}
