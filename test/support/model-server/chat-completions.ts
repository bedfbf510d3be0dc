import {
  deltasOf,
  idOf,
  inputText,
  type Rendered,
  type RenderInput,
  serverEvent,
  usageOf,
} from "./answer.ts";

/** Renders an answer in the OpenAI Chat Completions protocol. */
export function renderChatCompletions({ answer, model, number }: RenderInput): Rendered {
  const { inputTokens, outputTokens, cacheReadTokens } = usageOf(answer);
  const head = { id: `chatcmpl-${number}`, created: 1_700_000_000, model };
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  };
  const calls = (answer.toolCalls ?? []).map((call, index) => ({
    index,
    id: idOf(call, number, index),
    type: "function",
    function: { name: call.name, arguments: inputText(call) },
  }));
  const send = (delta: unknown, finishReason: string | null = null): string =>
    serverEvent({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    });
  const finishReason = finishReasonOf(answer);
  const events = [
    send({ role: "assistant", content: "" }),
    ...deltasOf(answer.reasoning).map((part) => send({ reasoning_content: part })),
    ...deltasOf(answer.text).map((part) => send({ content: part })),
    ...calls.flatMap((call) => [
      send({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: "" } }] }),
      ...deltasOf(call.function.arguments).map((part) =>
        send({ tool_calls: [{ index: call.index, function: { arguments: part } }] }),
      ),
    ]),
    ...(answer.errorEvent === undefined
      ? []
      : [
          serverEvent({
            error: { message: answer.error ?? answer.errorEvent, type: answer.errorEvent },
          }),
        ]),
    send({}, finishReason),
    serverEvent({ ...head, object: "chat.completion.chunk", choices: [], usage }),
    "data: [DONE]\n\n",
  ];
  const message = {
    role: "assistant",
    content: deltasOf(answer.text).join("") || null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const whole = {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage,
  };
  return { events, closingEvents: 3, whole };
}

function finishReasonOf(answer: RenderInput["answer"]): string {
  if (answer.refusal === true) return "content_filter";
  if (answer.stopAtLength === true) return "length";
  return (answer.toolCalls ?? []).length > 0 ? "tool_calls" : "stop";
}

/** The body of an HTTP error of OpenAI and compatible providers. */
export function openAiError(status: number, message: string): unknown {
  const code = status === 429 ? "rate_limit_exceeded" : null;
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return { error: { message, type, param: null, code } };
}
