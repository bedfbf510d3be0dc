/** The protocols that the server speaks. It chooses by the path of the request. */
export type Protocol = "anthropic" | "openai-responses" | "chat-completions" | "gemini";

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly protocol: Protocol;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body, byte for byte. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** When the request was complete, in milliseconds since 1970. */
  readonly arrivedAt: number;
  /** The number of the connection, starting at 1. Requests with the same number reused a connection. */
  readonly connection: number;
  /** Resolves when the answer was sent or the client disconnected. */
  readonly closed: Promise<"answered" | "gone">;
}

/** A message of a conversation, independent of the protocol. */
export interface NeutralMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  }[];
  readonly toolResults: readonly { readonly id: string; readonly text: string }[];
}

/** Returns the system prompt of a request. Several parts are joined by an empty line. */
export function systemOf(request: ReceivedRequest): string {
  const { body, protocol } = request;
  switch (protocol) {
    case "anthropic":
      return typeof body["system"] === "string" ? body["system"] : texts(list(body["system"]));
    case "gemini":
      return texts(list(record(body["systemInstruction"])["parts"]));
    case "openai-responses":
    case "chat-completions": {
      const messages = list(body["messages"] ?? body["input"]).filter(isSystem);
      const parts = messages.map((message) => contentText(message["content"]));
      const { instructions } = body;
      return [...(typeof instructions === "string" ? [instructions] : []), ...parts].join("\n\n");
    }
  }
}

/** Returns the names of the tools of a request, in order. */
export function toolNamesOf({ body, protocol }: ReceivedRequest): readonly string[] {
  const tools = list(body["tools"]);
  const named =
    protocol === "gemini"
      ? tools.flatMap((tool) => list(tool["functionDeclarations"]))
      : tools.map((tool) => ("function" in tool ? record(tool["function"]) : tool));
  return named.map((tool) => String(tool["name"]));
}

/** Returns the conversation of a request without its system prompt. */
export function messagesOf(request: ReceivedRequest): readonly NeutralMessage[] {
  const { body, protocol } = request;
  switch (protocol) {
    case "anthropic":
      return list(body["messages"]).map(fromAnthropic);
    case "gemini":
      return list(body["contents"]).map(fromGemini);
    case "chat-completions":
      return list(body["messages"])
        .filter((message) => !isSystem(message))
        .map(fromChat);
    case "openai-responses":
      return list(body["input"])
        .filter((item) => !isSystem(item))
        .map(fromResponses);
  }
}

type Json = Readonly<Record<string, unknown>>;

const NOTHING = { text: "", reasoning: "", toolCalls: [], toolResults: [] };

function fromAnthropic(message: Json): NeutralMessage {
  const { content } = message;
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : list(content);
  const results = parts.filter((part) => part["type"] === "tool_result");
  const role = message["role"] === "assistant" ? "assistant" : "user";
  return {
    role: results.length > 0 ? "tool" : role,
    text: texts(parts.filter((part) => part["type"] === "text")),
    reasoning: parts.map((part) => word(part["thinking"])).join(""),
    toolCalls: parts
      .filter((part) => part["type"] === "tool_use")
      .map((part) => ({
        id: String(part["id"]),
        name: String(part["name"]),
        input: part["input"],
      })),
    toolResults: results.map((part) => ({
      id: String(part["tool_use_id"]),
      text: contentText(part["content"]),
    })),
  };
}

function fromGemini(message: Json): NeutralMessage {
  const parts = list(message["parts"]);
  const results = parts.filter((part) => "functionResponse" in part);
  const role = message["role"] === "model" ? "assistant" : "user";
  return {
    role: results.length > 0 ? "tool" : role,
    text: texts(parts.filter((part) => "text" in part && part["thought"] !== true)),
    reasoning: texts(parts.filter((part) => part["thought"] === true)),
    toolCalls: parts
      .filter((part) => "functionCall" in part)
      .map((part) => record(part["functionCall"]))
      .map((call) => ({
        id: String(call["id"] ?? call["name"]),
        name: String(call["name"]),
        input: call["args"],
      })),
    toolResults: results
      .map((part) => record(part["functionResponse"]))
      .map((result) => ({
        id: String(result["id"] ?? result["name"]),
        text: word(record(result["response"])["content"]) || JSON.stringify(result["response"]),
      })),
  };
}

function fromChat(message: Json): NeutralMessage {
  const text = contentText(message["content"]);
  if (message["role"] === "tool") {
    const toolResults = [{ id: String(message["tool_call_id"]), text }];
    return { ...NOTHING, role: "tool", toolResults };
  }
  return {
    ...NOTHING,
    role: message["role"] === "assistant" ? "assistant" : "user",
    text,
    reasoning: word(message["reasoning_content"]),
    toolCalls: list(message["tool_calls"]).map((call) => ({
      id: String(call["id"]),
      name: String(record(call["function"])["name"]),
      input: parsed(String(record(call["function"])["arguments"])),
    })),
  };
}

function fromResponses(item: Json): NeutralMessage {
  switch (item["type"]) {
    case "function_call": {
      const { call_id: id, name, arguments: input } = item;
      const call = { id: String(id), name: String(name), input: parsed(String(input)) };
      return { ...NOTHING, role: "assistant", toolCalls: [call] };
    }
    case "function_call_output": {
      const result = { id: String(item["call_id"]), text: contentText(item["output"]) };
      return { ...NOTHING, role: "tool", toolResults: [result] };
    }
    case "reasoning":
      return { ...NOTHING, role: "assistant", reasoning: texts(list(item["summary"])) };
    default: {
      const role = item["role"] === "assistant" ? "assistant" : "user";
      return { ...NOTHING, role, text: contentText(item["content"]) };
    }
  }
}

function isSystem(message: Json): boolean {
  return message["role"] === "system" || message["role"] === "developer";
}

function contentText(content: unknown): string {
  return typeof content === "string" ? content : texts(list(content));
}

function texts(parts: readonly Json[]): string {
  return parts.map((part) => word(part["text"])).join("\n\n");
}

function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
