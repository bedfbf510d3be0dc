import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import { type CommandMessage, isRecord } from "@caliban/common";

/** A tool call with its result. */
export interface Step {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
  /** The result as data; empty for a call of an earlier turn, whose data is not kept. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the offline model considers of a prompt. */
export interface Turn {
  readonly system: string;
  /** The user's last message. Nothing else is ever taken for a request: neither topics nor tool results. */
  readonly message: string;
  /** The topics that the previous answer asked to choose from. */
  readonly choices: readonly string[];
  /** The calls since the user's last message. */
  readonly steps: readonly Step[];
  /** The calls of the whole conversation. */
  readonly allSteps: readonly Step[];
  readonly tools: ReadonlySet<string>;
  /** Whether the memory tools take a scope: then there is memory about the user, too. */
  readonly hasUserScope: boolean;
}

/** What the offline model does next: it answers, which ends the turn, or it calls tools. */
export type Move =
  | {
      readonly kind: "say";
      readonly text: string | CommandMessage;
      /** The topics to choose from, when the answer is a question. */
      readonly choices?: readonly string[] | undefined;
      /** Whether a tool refused what the user asked for. */
      readonly isRefused?: boolean | undefined;
    }
  | { readonly kind: "call"; readonly calls: readonly OfflineCall[] };

export interface OfflineCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export function say(text: string | CommandMessage): Move {
  return { kind: "say", text };
}

export function call(name: string, input: OfflineCall["input"]): Move {
  return { kind: "call", calls: [{ name, input }] };
}

/** The name under which metadata of an answer is stored and sent back to the offline model. */
export const METADATA_KEY = "offline";

/** Reads a prompt. The same prompt always gives the same turn. */
export function readTurn(
  prompt: LanguageModelV4Prompt,
  tools: readonly LanguageModelV4FunctionTool[],
): Turn {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  const system = prompt.flatMap((message) => (message.role === "system" ? message.content : []));
  const message = prompt[last];
  return {
    system: system.join("\n"),
    // The first part is the user's; what the program adds follows it.
    message: message === undefined ? "" : (textsOf(message)[0] ?? ""),
    choices: choicesIn(prompt.slice(0, Math.max(0, last))),
    steps: stepsOf(prompt.slice(last + 1)),
    allSteps: stepsOf(prompt),
    tools: new Set(tools.map(({ name }) => name)),
    hasUserScope: tools.some(takesScope),
  };
}

function takesScope({ name, inputSchema }: LanguageModelV4FunctionTool): boolean {
  return name === "WriteMemoryTopic" && inputSchema.properties?.["scope"] !== undefined;
}

function textsOf(message: LanguageModelV4Message): readonly string[] {
  if (message.role === "system" || message.role === "tool") return [];
  return message.content.flatMap((part) => (part.type === "text" ? part.text : []));
}

function choicesIn(earlier: LanguageModelV4Prompt): readonly string[] {
  const answer = earlier.findLast(({ role }) => role === "assistant");
  if (answer?.role !== "assistant") return [];
  const choices = answer.content.findLast((part) => part.type === "text")?.providerOptions?.[
    METADATA_KEY
  ]?.["choices"];
  return Array.isArray(choices) ? choices.filter((slug) => typeof slug === "string") : [];
}

/** Calls that have a result, in the order in which they were made. */
function stepsOf(messages: LanguageModelV4Prompt): readonly Step[] {
  const results = new Map(messages.flatMap(resultsOf).map((result) => [result.id, result]));
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.content.flatMap((part) => {
      const result = part.type === "tool-call" ? results.get(part.toolCallId) : undefined;
      if (part.type !== "tool-call" || result === undefined) return [];
      const input = isRecord(part.input) ? part.input : {};
      return { ...result, name: part.toolName, input };
    });
  });
}

function resultsOf(message: LanguageModelV4Message): readonly Omit<Step, "name" | "input">[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const { toolCallId: id, output, providerOptions } = part;
    const isText = output.type === "text" || output.type === "error-text";
    const text = isText ? output.value : JSON.stringify(output);
    // The agent attaches the data of a result for models that run in this process.
    return { id, text, isError: output.type !== "text", data: providerOptions?.["caliban"] ?? {} };
  });
}
