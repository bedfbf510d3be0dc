import {
  deltasOf,
  idOf,
  inputText,
  type Rendered,
  type RenderInput,
  serverEvent,
  usageOf,
} from "./answer.ts";

interface Block {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas: readonly Readonly<Record<string, unknown>>[];
  readonly whole: Readonly<Record<string, unknown>>;
}

/** Renders an answer in the Anthropic Messages protocol. */
export function renderAnthropicMessages({ answer, model, number }: RenderInput): Rendered {
  const usage = usageOf(answer);
  const input = {
    input_tokens: usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
  };
  const blocks = blocksOf({ answer, model, number });
  const stopReason = stopReasonOf(answer);
  const head = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    stop_sequence: null,
  };
  const send = (data: Readonly<Record<string, unknown>> & { readonly type: string }): string =>
    serverEvent(data, data.type);
  const events = [
    send({
      type: "message_start",
      message: {
        ...head,
        content: [],
        stop_reason: null,
        usage: { ...input, output_tokens: 1 },
      },
    }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      send({ type: "content_block_start", index, content_block: start }),
      ...deltas.map((delta) => send({ type: "content_block_delta", index, delta })),
      send({ type: "content_block_stop", index }),
    ]),
    ...(answer.errorEvent === undefined
      ? []
      : [
          send({
            type: "error",
            error: { type: answer.errorEvent, message: answer.error ?? answer.errorEvent },
          }),
        ]),
    send({
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: usage.outputTokens },
    }),
    send({ type: "message_stop" }),
  ];
  const whole = {
    ...head,
    content: blocks.map((block) => block.whole),
    stop_reason: stopReason,
    usage: { ...input, output_tokens: usage.outputTokens },
  };
  return { events, closingEvents: 2, whole };
}

function stopReasonOf(answer: RenderInput["answer"]): string {
  if (answer.refusal === true) return "refusal";
  if (answer.stopAtLength === true) return "max_tokens";
  return (answer.toolCalls ?? []).length > 0 ? "tool_use" : "end_turn";
}

function blocksOf({ answer, number }: RenderInput): readonly Block[] {
  const { reasoning } = answer;
  const thinking: readonly Block[] =
    reasoning === undefined
      ? []
      : [
          {
            start: { type: "thinking", thinking: "", signature: "" },
            deltas: [
              ...deltasOf(reasoning).map((part) => ({ type: "thinking_delta", thinking: part })),
              { type: "signature_delta", signature: `signature-${number}` },
            ],
            whole: { type: "thinking", thinking: reasoning, signature: `signature-${number}` },
          },
        ];
  const deltas = deltasOf(answer.text);
  const text: readonly Block[] =
    deltas.length === 0
      ? []
      : [
          {
            start: { type: "text", text: "" },
            deltas: deltas.map((part) => ({ type: "text_delta", text: part })),
            whole: { type: "text", text: deltas.join("") },
          },
        ];
  const calls = (answer.toolCalls ?? []).map((call, index): Block => {
    const head = { type: "tool_use", id: idOf(call, number, index), name: call.name };
    return {
      start: { ...head, input: {} },
      deltas: deltasOf(inputText(call)).map((part) => ({
        type: "input_json_delta",
        partial_json: part,
      })),
      whole: { ...head, input: call.input },
    };
  });
  return [...thinking, ...text, ...calls];
}

/** The body of an HTTP error of Anthropic. */
export function anthropicError(status: number, message: string): unknown {
  return { type: "error", error: { type: ERROR_TYPES[status] ?? "api_error", message } };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};
