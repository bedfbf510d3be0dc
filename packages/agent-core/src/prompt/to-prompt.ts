import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
} from "@ai-sdk/provider";
import type { AssistantMessage, AssistantPart, Message } from "../message.ts";

export interface ToPromptInput {
  /** The whole system prompt, as it is. */
  readonly system: string;
  readonly messages: readonly Message[];
  /** `provider/model` that will read it. */
  readonly modelName: string;
}

/** A conversation in the form that the AI SDK's models take. Same conversation, same prompt. */
export function toPrompt({ system, messages, modelName }: ToPromptInput): LanguageModelV4Prompt {
  const head: LanguageModelV4Message[] = system === "" ? [] : [{ role: "system", content: system }];
  return [...head, ...messages.flatMap((message) => toModelMessage(message, modelName))];
}

function toModelMessage(message: Message, modelName: string): readonly LanguageModelV4Message[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: [message.text, message.note].flatMap(textPart) }];
    case "assistant":
      return assistantMessage(message, modelName);
    case "tool":
      return [
        {
          role: "tool",
          content: message.results.map(({ id, name, text, isError }) => ({
            type: "tool-result",
            toolCallId: id,
            toolName: name,
            output: { type: isError ? "error-text" : "text", value: text },
          })),
        },
      ];
  }
}

function textPart(text: string | undefined): readonly LanguageModelV4TextPart[] {
  return text === undefined || text === "" ? [] : [{ type: "text", text }];
}

/** What another model thought is not sent: it has no signature that this one's provider would take. */
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
      // Providers take objects only; what the model wrote instead is kept for it to see.
      const input = typeof part.input === "string" ? { unreadable: part.input } : part.input;
      return [{ type: "tool-call", toolCallId, toolName, input, ...providerOptions }];
    }
  }
}
