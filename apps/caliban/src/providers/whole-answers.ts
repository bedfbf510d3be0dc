import {
  InvalidResponseDataError,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";

/**
 * The same model, whose stream ends in exactly one `finish`, after an `error` when the answer did not come to its end.
 * Left alone, some providers pass off an answer that breaks off as one that is there, and others end without a word.
 */
export function withWholeAnswers(model: LanguageModelV4): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: async (options) => await model.doGenerate(options),
    doStream: async (options) => {
      const result = await model.doStream(options);
      return { ...result, stream: checked(result) };
    },
  };
}

function checked(result: LanguageModelV4StreamResult): ReadableStream<LanguageModelV4StreamPart> {
  let hasContent = false;
  let hasError = false;
  let isFinished = false;
  const missingEnd = (): LanguageModelV4StreamPart => ({
    type: "error",
    error: hasContent || isEventStream(result) ? cutAnswer() : noAnswer(result),
  });
  return result.stream.pipeThrough(
    new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform: (part, controller) => {
        // What comes behind the end belongs to nothing.
        if (isFinished) return;
        hasError ||= part.type === "error";
        if (part.type === "error") {
          controller.enqueue(isAboutEnd(part.error) ? missingEnd() : part);
          return;
        }
        if (part.type !== "finish") {
          hasContent ||= part.type !== "stream-start";
          controller.enqueue(part);
          return;
        }
        isFinished = true;
        const isCut = part.finishReason.unified === "interrupted";
        if (isCut && !hasError) controller.enqueue(missingEnd());
        const finishReason = { ...part.finishReason, unified: "error" } as const;
        controller.enqueue(isCut ? { ...part, finishReason } : part);
      },
      flush: (controller) => {
        if (isFinished) return;
        if (!hasError) controller.enqueue(missingEnd());
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

/** One of the providers says so itself, in these words. */
const WITHOUT_END = "Response stream ended without a finish reason.";

function isAboutEnd(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.message === WITHOUT_END;
}

function cutAnswer(): InvalidResponseDataError {
  return new InvalidResponseDataError({ data: undefined, message: WITHOUT_END });
}

function noAnswer({ response }: LanguageModelV4StreamResult): InvalidResponseDataError {
  const type = response?.headers?.["content-type"] ?? "unknown";
  const message = `Expected a stream of events, but the answer is of the type ${type}.`;
  return new InvalidResponseDataError({ data: undefined, message });
}
