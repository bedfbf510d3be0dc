import {
  deltasOf,
  idOf,
  inputText,
  type Rendered,
  type RenderInput,
  serverEvent,
  usageOf,
} from "./answer.ts";

type Item = Readonly<Record<string, unknown>> & { readonly id: string };
type ServerEvent = Readonly<Record<string, unknown>> & { readonly type: string };

interface OutputItem {
  readonly added: Item;
  readonly deltas: readonly ServerEvent[];
  readonly done: Item;
}

/** Renders an answer in the OpenAI Responses protocol. */
export function renderOpenAiResponses(input: RenderInput): Rendered {
  const { answer, model, number } = input;
  const { inputTokens, outputTokens, cacheReadTokens } = usageOf(answer);
  const items = itemsOf(input);
  const head = { id: `resp_${number}`, object: "response", created_at: 1_700_000_000, model };
  const isTruncated = answer.stopAtLength === true || answer.refusal === true;
  const reason = answer.refusal === true ? "content_filter" : "max_output_tokens";
  const whole = {
    ...head,
    status: isTruncated ? "incomplete" : "completed",
    output: items.map(({ done }) => done),
    incomplete_details: isTruncated ? { reason } : null,
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cacheReadTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  };
  const started = { ...head, status: "in_progress", output: [], incomplete_details: null };
  const sequence: readonly ServerEvent[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...items.flatMap(itemEvents),
    ...errorOf(answer),
    { type: isTruncated ? "response.incomplete" : "response.completed", response: whole },
  ];
  const events = sequence.map((data, index) =>
    serverEvent({ sequence_number: index, ...data }, data.type),
  );
  return { events, closingEvents: 1, whole };
}

function itemEvents({ added, deltas, done }: OutputItem, index: number): readonly ServerEvent[] {
  const begin = { type: "response.output_item.added", output_index: index, item: added };
  const end = { type: "response.output_item.done", output_index: index, item: done };
  return [begin, ...deltas.map((delta) => withPosition(delta, index, added.id)), end];
}

function withPosition(delta: ServerEvent, index: number, id: string): ServerEvent {
  return { ...delta, output_index: index, item_id: id };
}

function errorOf({ errorEvent, error }: RenderInput["answer"]): readonly ServerEvent[] {
  if (errorEvent === undefined) return [];
  return [
    {
      type: "error",
      error: { type: errorEvent, code: errorEvent, message: error ?? errorEvent, param: null },
    },
  ];
}

function itemsOf({ answer, number }: RenderInput): readonly OutputItem[] {
  const { reasoning } = answer;
  const thoughts = reasoning === undefined ? [] : [reasoningItem(reasoning, number)];
  const deltas = deltasOf(answer.text);
  const texts = deltas.length === 0 ? [] : [messageItem(deltas, number)];
  const calls = (answer.toolCalls ?? []).map((call, index): OutputItem => {
    const id = idOf(call, number, index);
    const text = inputText(call);
    const head = { type: "function_call", id: `fc_${id}`, call_id: id, name: call.name };
    return {
      added: { ...head, arguments: "", status: "in_progress" },
      deltas: [
        ...deltasOf(text).map((delta) => ({
          type: "response.function_call_arguments.delta",
          delta,
        })),
        { type: "response.function_call_arguments.done", arguments: text },
      ],
      done: { ...head, arguments: text, status: "completed" },
    };
  });
  return [...thoughts, ...texts, ...calls];
}

function reasoningItem(text: string, number: number): OutputItem {
  const head = {
    type: "reasoning",
    id: `rs_${number}`,
    encrypted_content: `encrypted-${number}`,
  };
  const part = { type: "summary_text", text };
  return {
    added: { ...head, summary: [] },
    deltas: [
      {
        type: "response.reasoning_summary_part.added",
        summary_index: 0,
        part: { ...part, text: "" },
      },
      ...deltasOf(text).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        summary_index: 0,
        delta,
      })),
      { type: "response.reasoning_summary_part.done", summary_index: 0, part },
    ],
    done: { ...head, summary: [part] },
  };
}

function messageItem(deltas: readonly string[], number: number): OutputItem {
  const head = { type: "message", id: `msg_${number}`, role: "assistant" };
  const part = { type: "output_text", text: deltas.join(""), annotations: [] };
  return {
    added: { ...head, status: "in_progress", content: [] },
    deltas: [
      { type: "response.content_part.added", content_index: 0, part: { ...part, text: "" } },
      ...deltas.map((delta) => ({
        type: "response.output_text.delta",
        content_index: 0,
        delta,
        logprobs: [],
      })),
      { type: "response.output_text.done", content_index: 0, text: part.text, logprobs: [] },
      { type: "response.content_part.done", content_index: 0, part },
    ],
    done: { ...head, status: "completed", content: [part] },
  };
}
