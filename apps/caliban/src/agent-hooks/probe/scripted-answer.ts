/** The protocols of the models that agents talk to. */
export type ProbeProtocol = "anthropic" | "responses" | "chat" | "gemini";

/** A call of a tool, or a text that ends the turn. */
export type ScriptedAnswer =
  | { readonly kind: "call"; readonly tool: string; readonly input: object; readonly id: string }
  | { readonly kind: "text"; readonly text: string };

/** Renders an answer as the stream of events that a model sends. */
export function renderStream(protocol: ProbeProtocol, answer: ScriptedAnswer): string {
  return STREAMS[protocol](answer);
}

type Render = (answer: ScriptedAnswer) => string;

const MODEL = "probe";

const STREAMS: Readonly<Record<ProbeProtocol, Render>> = {
  anthropic: (answer) => {
    const [start, delta, reason] =
      answer.kind === "text"
        ? [{ type: "text", text: "" }, { type: "text_delta", text: answer.text }, "end_turn"]
        : [
            { type: "tool_use", id: answer.id, name: answer.tool, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(answer.input) },
            "tool_use",
          ];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const head = { id: "msg_probe", type: "message", role: "assistant", model: MODEL, content: [] };
    const end = { stop_reason: null, stop_sequence: null };
    return named([
      { type: "message_start", message: { ...head, ...end, usage } },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { ...end, stop_reason: reason },
        usage: { output_tokens: 1 },
      },
      { type: "message_stop" },
    ]);
  },
  responses: (answer) => {
    const item =
      answer.kind === "text"
        ? {
            type: "message",
            id: "msg_probe",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: answer.text, annotations: [] }],
          }
        : {
            type: "function_call",
            id: `fc_${answer.id}`,
            call_id: answer.id,
            name: answer.tool,
            arguments: JSON.stringify(answer.input),
            status: "completed",
          };
    const details = { cached_tokens: 0, reasoning_tokens: 0 };
    const usage = {
      input_tokens: 1,
      input_tokens_details: details,
      output_tokens: 1,
      output_tokens_details: details,
      total_tokens: 2,
    };
    const head = { id: "resp_probe", object: "response", created_at: 0, model: MODEL };
    return named([
      { type: "response.created", response: { ...head, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      {
        type: "response.completed",
        response: { ...head, status: "completed", output: [item], usage },
      },
    ]);
  },
  chat: (answer) => {
    const head = {
      id: "chatcmpl-probe",
      object: "chat.completion.chunk",
      created: 0,
      model: MODEL,
    };
    const delta =
      answer.kind === "text"
        ? { role: "assistant", content: answer.text }
        : {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                index: 0,
                id: answer.id,
                type: "function",
                function: { name: answer.tool, arguments: JSON.stringify(answer.input) },
              },
            ],
          };
    const reason = answer.kind === "text" ? "stop" : "tool_calls";
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const events = [
      { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      { ...head, choices: [], usage },
    ];
    return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
  },
  gemini: (answer) => {
    const part =
      answer.kind === "text"
        ? { text: answer.text }
        : { functionCall: { name: answer.tool, args: answer.input }, thoughtSignature: "probe" };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const content = { role: "model", parts: [part] };
    const candidates = [{ index: 0, content, finishReason: "STOP" }];
    return `data: ${JSON.stringify({ modelVersion: MODEL, candidates, usageMetadata })}\n\n`;
  },
};

function named(events: readonly StreamEvent[]): string {
  return events
    .map((event, at) => {
      const data = JSON.stringify({ sequence_number: at, ...event });
      return `event: ${event.type}\ndata: ${data}\n\n`;
    })
    .join("");
}

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;
