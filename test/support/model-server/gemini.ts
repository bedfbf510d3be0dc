import { deltasOf, type Rendered, type RenderInput, serverEvent, usageOf } from "./answer.ts";

/** Renders an answer in the Gemini protocol. */
export function renderGemini({ answer, model, number }: RenderInput): Rendered {
  const { inputTokens, outputTokens, cacheReadTokens } = usageOf(answer);
  const parts = [
    ...deltasOf(answer.reasoning).map((text) => ({ text, thought: true })),
    ...deltasOf(answer.text).map((text) => ({ text })),
    ...(answer.toolCalls ?? []).map((call, index) => {
      const functionCall = { name: call.name, args: call.input };
      // Only the first call of a step is signed.
      return index === 0
        ? { functionCall, thoughtSignature: `signature-${number}` }
        : { functionCall };
    }),
  ];
  const finishReason = finishReasonOf(answer);
  const head = { modelVersion: model, responseId: `response-${number}` };
  const usageMetadata = {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens,
    totalTokenCount: inputTokens + outputTokens,
    cachedContentTokenCount: cacheReadTokens,
  };
  const chunk = (content: readonly unknown[], last?: string): unknown => ({
    ...head,
    candidates: [
      {
        content: { role: "model", parts: content },
        index: 0,
        ...(last !== undefined && { finishReason: last }),
      },
    ],
    ...(last !== undefined && { usageMetadata }),
  });
  const { errorEvent } = answer;
  const events = [
    ...parts.map((part) => serverEvent(chunk([part]))),
    ...(errorEvent === undefined
      ? []
      : [serverEvent(geminiError(503, answer.error ?? errorEvent))]),
    serverEvent(chunk([], finishReason)),
  ];
  return { events, closingEvents: 1, whole: chunk(parts, finishReason) };
}

function finishReasonOf(answer: RenderInput["answer"]): string {
  if (answer.refusal === true) return "SAFETY";
  return answer.stopAtLength === true ? "MAX_TOKENS" : "STOP";
}

/** The body of an HTTP error of Google. */
export function geminiError(status: number, message: string): unknown {
  return { error: { code: status, message, status: STATUSES[status] ?? "INTERNAL" } };
}

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};
