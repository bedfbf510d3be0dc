/** A call that the model makes. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: unknown;
  /** Sent in place of the input as JSON, for a model that gets it wrong; Gemini has no words for that. */
  readonly rawInput?: string;
  /** Made up from its place when left out. */
  readonly id?: string;
}

export interface ScriptedUsage {
  /** All that went in, from the cache or not. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** What the server says to one request, in no protocol's words. Every part may be left out. */
export interface Answer {
  /** Several texts arrive as several deltas; one text is cut into small ones. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly usage?: ScriptedUsage;
  /** The model stops because it may say no more. */
  readonly stopAtLength?: boolean;
  /** The model, or its provider, declines. */
  readonly refusal?: boolean;

  /** An HTTP error in the protocol's form instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The message of an error, of a status or in the stream. */
  readonly error?: string;
  /** The stream begins and then reports this kind of error, such as `overloaded_error`, in the protocol's form. */
  readonly errorEvent?: string;

  /** Sent as it is, with the status and content type of an answer unless others are given. */
  readonly garbage?: string;
  readonly contentType?: string;
  /** The connection is destroyed after so many bytes of the body. */
  readonly cutAfterBytes?: number;
  /** With `cutAfterBytes`: the body ends there as if it were whole. */
  readonly cleanly?: boolean;
  /** Everything but the last events of the protocol is sent, and the body ends as if it were whole. */
  readonly withoutEnd?: boolean;
  /** Pause before each event. */
  readonly slowMs?: number;
  /** The body is written in pieces of so many bytes, wherever they fall. */
  readonly chunkBytes?: number;
  /** The request is never answered. */
  readonly hang?: boolean;
  /** The body stops after so many bytes, and the connection stays open. */
  readonly hangAfterBytes?: number;
  readonly encoding?: "gzip" | "br";
}

/** The deltas of a text: as given, or in pieces of a few characters. */
export function deltasOf(text: Answer["text"]): readonly string[] {
  if (text === undefined) return [];
  if (typeof text !== "string") return text;
  return text.match(/.{1,12}/gsu) ?? [];
}

/** The id of a call, made up from its place when the script has none. */
export function idOf(call: ScriptedCall, answerNumber: number, index: number): string {
  return call.id ?? `call_${answerNumber}_${index}`;
}

/** The input of a call as the protocols send it, a text. */
export function inputText(call: ScriptedCall): string {
  return call.rawInput ?? JSON.stringify(call.input);
}

/** The tokens of an answer with every number filled in. */
export function usageOf(answer: Answer): Required<ScriptedUsage> {
  return {
    inputTokens: 100,
    outputTokens: 10,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    ...answer.usage,
  };
}

/** An answer as one protocol streams it, and as it says it in one piece. */
export interface Rendered {
  /** Server-sent events, each with its empty line. */
  readonly events: readonly string[];
  /** How many of the last events say that the answer is whole. */
  readonly closingEvents: number;
  readonly whole: unknown;
}

export interface RenderInput {
  readonly answer: Answer;
  readonly model: string;
  /** Which answer of the server this is, from 1. */
  readonly number: number;
}

/** A server-sent event with a JSON body. */
export function serverEvent(data: unknown, name?: string): string {
  const line = name === undefined ? "" : `event: ${name}\n`;
  return `${line}data: ${JSON.stringify(data)}\n\n`;
}
