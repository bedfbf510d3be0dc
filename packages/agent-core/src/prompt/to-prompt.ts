import {
  isJSONObject,
  type LanguageModelV4Message,
  type LanguageModelV4Prompt,
  type LanguageModelV4ReasoningPart,
  type LanguageModelV4TextPart,
  type LanguageModelV4ToolCallPart,
  type LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { AssistantMessage, AssistantPart, Message, ToolCallResult } from "../message.ts";

export interface ToPromptInput {
  /** The complete system prompt. */
  readonly system: string;
  readonly messages: readonly Message[];
  /** The `provider/model` that will read the prompt. */
  readonly modelName: string;
  /**
   * The `data` of tool results by call id. It becomes `providerOptions.caliban` of the result, which only a model that
   * runs in this process reads; other providers ignore it.
   */
  readonly toolData?: ReadonlyMap<string, unknown> | undefined;
}

/** Converts a conversation into a prompt for the AI SDK. The same conversation always gives the same prompt. */
export function toPrompt(input: ToPromptInput): LanguageModelV4Prompt {
  const { system, messages } = input;
  const head: LanguageModelV4Message[] = system === "" ? [] : [{ role: "system", content: system }];
  return [...head, ...messages.flatMap((message) => toModelMessage(message, input))];
}

function toModelMessage(
  message: Message,
  { modelName, toolData }: ToPromptInput,
): readonly LanguageModelV4Message[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: [message.text, message.note].flatMap(textPart) }];
    case "assistant":
      return assistantMessage(message, modelName);
    case "tool": {
      const content = message.results.map((result) => toolResult(result, toolData?.get(result.id)));
      return [{ role: "tool", content }];
    }
  }
}

function textPart(text: string | undefined): readonly LanguageModelV4TextPart[] {
  return text === undefined || text === "" ? [] : [{ type: "text", text }];
}

function toolResult(
  { id, name, text, isError }: ToolCallResult,
  data: unknown,
): LanguageModelV4ToolResultPart {
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: { type: isError ? "error-text" : "text", value: text },
    ...(isJSONObject(data) ? { providerOptions: { caliban: data } } : {}),
  };
}

/** Leaves out another model's reasoning: its signature is not valid for this model's provider. */
function assistantMessage(
  { parts, model }: AssistantMessage,
  modelName: string,
): readonly LanguageModelV4Message[] {
  const isOwn = model === modelName;
  const content = parts.flatMap((part) => modelPart(part, isOwn));
  return content.length === 0 ? [] : [{ role: "assistant", content }];
}

type ModelPart =
  | LanguageModelV4TextPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ToolCallPart;

function modelPart(part: AssistantPart, isOwn: boolean): readonly ModelPart[] {
  const providerOptions =
    isOwn && part.metadata !== undefined ? { providerOptions: part.metadata } : {};
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text, ...providerOptions }];
    case "reasoning":
      return isOwn ? [{ type: "reasoning", text: part.text, ...providerOptions }] : [];
    case "tool-call": {
      const { id: toolCallId, name: toolName } = part;
      // Providers only accept objects. The model still sees what it wrote instead.
      const input = typeof part.input === "string" ? { unreadable: part.input } : part.input;
      return [{ type: "tool-call", toolCallId, toolName, input, ...providerOptions }];
    }
  }
}
