import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

/** A call and what came of it. */
export interface Step {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly text: string;
  readonly isError: boolean;
}

/** What of a prompt the offline model looks at. */
export interface PromptFacts {
  readonly system: string;
  /** The person's last words. Nothing else is ever taken for a wish: neither notes nor what tools answer. */
  readonly said: string;
  /** What the model answered before that. */
  readonly before: string;
  /** Calls since the person spoke, with their results. */
  readonly steps: readonly Step[];
  /** The same of the whole conversation. */
  readonly allSteps: readonly Step[];
  readonly tools: ReadonlySet<string>;
}

/** Reads a prompt. Same prompt, same facts. */
export function readPromptFacts(
  prompt: LanguageModelV4Prompt,
  tools: ReadonlySet<string>,
): PromptFacts {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const system = prompt.flatMap((message) => (message.role === "system" ? message.content : []));
  const answers = prompt.slice(0, Math.max(0, last)).filter(({ role }) => role === "assistant");
  const spoken = prompt[last];
  return {
    system: system.join("\n"),
    // The first part is the person's; what the program adds comes behind it.
    said: spoken === undefined ? "" : (textsOf(spoken)[0] ?? ""),
    before: answers.flatMap(textsOf).at(-1) ?? "",
    steps: stepsOf(prompt.slice(last + 1)),
    allSteps: stepsOf(prompt),
    tools,
  };
}

function textsOf(message: LanguageModelV4Message): readonly string[] {
  if (message.role === "system" || message.role === "tool") return [];
  return message.content.flatMap((part) => (part.type === "text" ? part.text : []));
}

/** Calls that were answered, in the order in which they were made. */
function stepsOf(messages: LanguageModelV4Prompt): readonly Step[] {
  const results = new Map(
    messages.flatMap(resultsOf).map((result) => [result.id, result] as const),
  );
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.content.flatMap((part) => {
      const result = part.type === "tool-call" ? results.get(part.toolCallId) : undefined;
      if (part.type !== "tool-call" || result === undefined) return [];
      return { ...result, name: part.toolName, input: part.input };
    });
  });
}

type Result = Pick<Step, "id" | "text" | "isError">;

function resultsOf(message: LanguageModelV4Message): readonly Result[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part): readonly Result[] => {
    if (part.type !== "tool-result") return [];
    const { toolCallId: id, output } = part;
    if (output.type === "text") return [{ id, text: output.value, isError: false }];
    if (output.type === "error-text") return [{ id, text: output.value, isError: true }];
    return [{ id, text: JSON.stringify(output), isError: true }];
  });
}
