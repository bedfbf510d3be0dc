import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** The model's reaction to a request: parts to send, an error to throw, or a stream. */
export type ScriptedAnswer =
  | readonly LanguageModelV4StreamPart[]
  | Error
  | ((options: LanguageModelV4CallOptions) => ReadableStream<LanguageModelV4StreamPart>);

export interface ScriptedModel {
  readonly model: LanguageModelV4;
  readonly requests: readonly LanguageModelV4CallOptions[];
}

/** Answers from a script, one entry per request, and records the requests. */
export function scriptedModel(script: readonly ScriptedAnswer[]): ScriptedModel {
  const requests: LanguageModelV4CallOptions[] = [];
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error("the loop only streams");
    },
    doStream: async (options) => {
      const answer = script[requests.length];
      requests.push(options);
      if (answer === undefined) throw new Error("the script has no more answers");
      if (answer instanceof Error) throw answer;
      return { stream: typeof answer === "function" ? answer(options) : streamOf(answer) };
    },
  };
  return { model, requests };
}

/** A stream that sends these parts and ends. */
function streamOf(
  parts: readonly LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** A stream that sends these parts and then hangs until it is cancelled. */
export function stuckStream(
  parts: readonly LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
    },
  });
}

export function text(...deltas: readonly string[]): readonly LanguageModelV4StreamPart[] {
  return [
    { type: "text-start", id: "t" },
    ...deltas.map((delta) => ({ type: "text-delta", id: "t", delta }) as const),
    { type: "text-end", id: "t" },
  ];
}

export function call(id: string, toolName: string, input: unknown): LanguageModelV4StreamPart {
  const json = typeof input === "string" ? input : JSON.stringify(input);
  return { type: "tool-call", toolCallId: id, toolName, input: json };
}

export function finish(
  unified: LanguageModelV4FinishReason["unified"] = "stop",
  tokens = { input: 10, output: 5 },
): LanguageModelV4StreamPart {
  return {
    type: "finish",
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: tokens.input, noCache: tokens.input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: tokens.output, text: tokens.output, reasoning: 0 },
    },
  };
}
