import {
  InvalidResponseDataError,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";

/**
 * Wraps a model so that its stream ends in exactly one `finish`, preceded by an `error` when the answer is incomplete.
 * Left alone, some providers report a truncated answer as complete, and others end without any signal.
 */
export function requireCompleteAnswers(model: LanguageModelV4): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: async (options) => await model.doGenerate(options),
    doStream: async (options) => {
      const result = await model.doStream(options);
      return { ...result, stream: checkedStream(result) };
    },
  };
}

function checkedStream(
  result: LanguageModelV4StreamResult,
): ReadableStream<LanguageModelV4StreamPart> {
  let hasContent = false;
  let hasError = false;
  let isFinished = false;
  const incomplete = (): LanguageModelV4StreamPart => ({
    type: "error",
    error: hasContent || isEventStream(result) ? truncatedAnswer() : invalidAnswer(result),
  });
  return result.stream.pipeThrough(
    new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform: (part, controller) => {
        // Parts after the end belong to no answer.
        if (isFinished) return;
        hasError ||= part.type === "error";
        if (part.type === "error") {
          controller.enqueue(isAboutEnd(part.error) ? incomplete() : part);
          return;
        }
        if (part.type !== "finish") {
          hasContent ||= part.type !== "stream-start";
          controller.enqueue(part);
          return;
        }
        isFinished = true;
        const isTruncated = part.finishReason.unified === "interrupted";
        if (isTruncated && !hasError) controller.enqueue(incomplete());
        const finishReason = { ...part.finishReason, unified: "error" } as const;
        controller.enqueue(isTruncated ? { ...part, finishReason } : part);
      },
      flush: (controller) => {
        if (isFinished) return;
        if (!hasError) controller.enqueue(incomplete());
        const finishReason = { unified: "error", raw: undefined } as const;
        controller.enqueue({ type: "finish", finishReason, usage: NO_USAGE });
      },
    }),
  );
}

const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function isEventStream({ response }: LanguageModelV4StreamResult): boolean {
  return (response?.headers?.["content-type"] ?? "").includes("text/event-stream");
}

/** The message with which one of the AI SDK's providers reports a truncated stream; it has no code of its own. */
const TRUNCATED = "Response stream ended without a finish reason.";

function isAboutEnd(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.message === TRUNCATED;
}

function truncatedAnswer(): InvalidResponseDataError {
  return new InvalidResponseDataError({ data: undefined, message: TRUNCATED });
}

function invalidAnswer({ response }: LanguageModelV4StreamResult): InvalidResponseDataError {
  const type = response?.headers?.["content-type"] ?? "unknown";
  const message = `Expected an event stream, but the response has the type ${type}.`;
  return new InvalidResponseDataError({ data: undefined, message });
}
