/** A tool call in a scripted answer. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: unknown;
  /** Sent instead of the input as JSON, to imitate a model that gets it wrong. Gemini cannot express this. */
  readonly rawInput?: string;
  /** Derived from the position of the call by default. */
  readonly id?: string;
}

export interface ScriptedUsage {
  /** All input tokens, cached or not. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** An answer to one request, independent of the protocol. Every part is optional. */
export interface Answer {
  /** A list is sent as one delta each; one text is split into small deltas. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly usage?: ScriptedUsage;
  /** The model stops at its token limit. */
  readonly stopAtLength?: boolean;
  /** The model or its provider refuses to answer. */
  readonly refusal?: boolean;

  /** Sends an HTTP error in the format of the protocol instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The message of an HTTP error or of an error in the stream. */
  readonly error?: string;
  /** The stream starts and then reports an error of this type, such as `overloaded_error`. */
  readonly errorEvent?: string;

  /** Sent unchanged as the body, with the status and content type of an answer by default. */
  readonly rawBody?: string;
  readonly contentType?: string;
  /** Resets the connection after this many bytes of the body. */
  readonly cutAfterBytes?: number;
  /** With `cutAfterBytes`, ends the body there as if it were complete. */
  readonly cleanly?: boolean;
  /** Omits the closing events of the protocol, and ends the body as if it were complete. */
  readonly withoutEnd?: boolean;
  /** The pause before each event. */
  readonly slowMs?: number;
  /** Writes the body in pieces of this many bytes, even within a character. */
  readonly chunkBytes?: number;
  /** Never answers the request. */
  readonly hang?: boolean;
  /** Stops the body after this many bytes, and keeps the connection open. */
  readonly hangAfterBytes?: number;
  readonly encoding?: "gzip" | "br";
}

/** Returns the deltas of a text: as listed, or in pieces of a few characters. */
export function deltasOf(text: Answer["text"]): readonly string[] {
  if (text === undefined) return [];
  if (typeof text !== "string") return text;
  return text.match(/.{1,12}/gsu) ?? [];
}

/** Returns the id of a call, derived from its position if the script has none. */
export function idOf(call: ScriptedCall, answerNumber: number, index: number): string {
  return call.id ?? `call_${answerNumber}_${index}`;
}

/** Returns the input of a call as the text that the protocols send. */
export function inputText(call: ScriptedCall): string {
  return call.rawInput ?? JSON.stringify(call.input);
}

/** Returns the token counts of an answer, with defaults. */
export function usageOf(answer: Answer): Required<ScriptedUsage> {
  return {
    inputTokens: 100,
    outputTokens: 10,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    ...answer.usage,
  };
}

/** An answer as one protocol streams it, and as it sends it in one piece. */
export interface Rendered {
  /** Server-sent events, each with its trailing empty line. */
  readonly events: readonly string[];
  /** The number of events at the end that mark the answer as complete. */
  readonly closingEvents: number;
  readonly whole: unknown;
}

export interface RenderInput {
  readonly answer: Answer;
  readonly model: string;
  /** The number of the answer, starting at 1. */
  readonly number: number;
}

/** Renders a server-sent event with a JSON body. */
export function serverEvent(data: unknown, name?: string): string {
  const line = name === undefined ? "" : `event: ${name}\n`;
  return `${line}data: ${JSON.stringify(data)}\n\n`;
}
