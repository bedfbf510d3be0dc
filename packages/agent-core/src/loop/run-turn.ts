import { requireArguments } from "@caliban/common";
import { SYSTEM_CLOCK } from "../clock.ts";
import type { AssistantMessage, Message, ToolCallPart, UserMessage } from "../message.ts";
import { askModel, type ModelReply, type ModelRequest } from "../model/ask-model.ts";
import type { Answer } from "../model/collect-answer.ts";
import type { TurnOutcome } from "./agent-event.ts";
import {
  compactOnRequest,
  createShortener,
  isNearlyFull,
  type Shorten,
} from "./compact-conversation.ts";
import { type CallContext, runCalls } from "./run-calls.ts";
import { createToolRunner } from "./tool-runner.ts";
import { type TurnModel, withModelName } from "./turn-model.ts";

/** Everything a turn works with. Only the model and the messages are required. */
export interface TurnInput
  extends
    TurnModel,
    Partial<Omit<ModelRequest, keyof TurnModel | "emit" | "toolData">>,
    Partial<Omit<CallContext, "emit">> {
  /** The conversation so far. Its last message is the user's. */
  readonly messages: readonly Message[];
  /** The maximum number of requests to the model in this turn. 50 by default. */
  readonly maxSteps?: number | undefined;
  /** Called before each step. A returned message ends the turn with the outcome `budget`. */
  readonly beforeStep?: ((messages: readonly Message[]) => Promise<string | undefined>) | undefined;
  /** Receives everything that happens, as it happens. */
  readonly emit?: CallContext["emit"] | undefined;
  /** Takes what the user sent while tools ran. The model reads it together with their results. */
  readonly takeMessages?: (() => Promise<readonly UserMessage[]>) | undefined;
  /** Opens the model that summarizes a conversation that is too long; the same model by default. */
  readonly openSummarizer?: (() => Promise<TurnModel | undefined>) | undefined;
}

/** The outcome of a turn, and the conversation with everything the turn added. */
export interface TurnResult {
  readonly messages: readonly Message[];
  readonly outcome: TurnOutcome;
}

/**
 * Asks the model, runs the tools it calls, and repeats until it calls none. Whatever happens, the returned conversation
 * can be continued: every call in it has a result.
 *
 * Without `runTool`, the tools run with the default permissions: read-only and memory tools are allowed, others denied.
 *
 * @example
 * import { runTurn, type TurnInput } from "@caliban/agent-core";
 *
 * const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
 * const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
 * const model: TurnInput["model"] = {
 *   specificationVersion: "v4",
 *   provider: "example",
 *   modelId: "greeter",
 *   supportedUrls: {},
 *   doGenerate: () => Promise.reject(new Error("not used")),
 *   doStream: async () => ({
 *     stream: ReadableStream.from([
 *       { type: "text-delta", id: "1", delta: "Hello!" } as const,
 *       { type: "finish", usage, finishReason: { unified: "stop", raw: undefined } } as const,
 *     ]),
 *   }),
 * };
 * const { outcome, messages } = await runTurn({ model, messages: [{ role: "user", text: "Hi" }] });
 * console.log(outcome.kind, messages.length); // done 2
 */
export async function runTurn(input: TurnInput): Promise<TurnResult> {
  const turn = withDefaults(input, "runTurn");
  const { emit, signal, maxSteps } = turn;
  const shorten = createShortener(turn);
  const toolData = new Map<string, unknown>();
  let { messages } = turn;
  const add = (message: Message): void => {
    messages = [...messages, message];
    emit({ type: "message", message });
  };
  const end = (outcome: TurnOutcome): TurnResult => {
    emit({ type: "turn-end", outcome });
    return { messages, outcome };
  };

  for (let step = 1; step <= maxSteps && !signal.aborted; step++) {
    if (isNearlyFull(turn, messages)) messages = (await shorten(messages)) ?? messages;
    const message = await turn.beforeStep?.(messages);
    if (message !== undefined) return end({ kind: "budget", message });
    emit({ type: "step-start", step });
    const { reply, sent } = await askWithinWindow({ ...turn, toolData }, messages, shorten);
    messages = sent;
    const answer = toMessage(reply, turn.modelName);
    if (answer !== undefined) add(answer);
    const calls = callsIn(reply);
    if (calls.length === 0) return end(lastOutcome(reply, emit));
    const finished = await runCalls(calls, turn);
    for (const { result, data } of finished) toolData.set(result.id, data);
    add({ role: "tool", results: finished.map(({ result }) => result) });
    if (step < maxSteps) for (const taken of await messagesFor(turn)) add(taken);
  }
  return end(earlyOutcome(turn));
}

function earlyOutcome({ signal, maxSteps }: Turn): TurnOutcome {
  return signal.aborted ? { kind: "interrupted" } : { kind: "step-limit", maxSteps };
}

function lastOutcome(reply: Parameters<typeof outcomeOf>[0], emit: Turn["emit"]): TurnOutcome {
  if (isCutAtLimit(reply)) emit({ type: "notice", message: CUT_AT_OUTPUT_LIMIT });
  return outcomeOf(reply);
}

/** A conversation to summarize, and how to reach the model. Nothing else of a turn is used. */
export interface CompactionInput extends TurnInput {
  /** What the user wants the summary to keep. */
  readonly instructions?: string | undefined;
}

/**
 * Replaces all but the end of a conversation by a summary, as a turn of its own. `runTurn` does the same before the
 * context window of a model is full, if it knows its size.
 */
export async function compactConversation(input: CompactionInput): Promise<TurnResult> {
  return await compactOnRequest(withDefaults(input, "compactConversation"), input);
}

const DEFAULT_MAX_STEPS = 50;

type Turn = TurnInput & ModelRequest & CallContext & { readonly maxSteps: number };

function withDefaults(input: TurnInput, caller: string): Turn {
  requireArguments(caller, input, ["model", "messages"]);
  const { messages, tools = [] } = input;
  if (!Array.isArray(messages)) throw new TypeError(`${caller}: "messages" must be a list`);
  return {
    ...withModelName(input),
    system: input.system ?? "",
    tools,
    runTool: input.runTool ?? createToolRunner({ tools }).run,
    emit: input.emit ?? (() => undefined),
    signal: input.signal ?? new AbortController().signal,
    clock: input.clock ?? SYSTEM_CLOCK,
    maxSteps: input.maxSteps ?? DEFAULT_MAX_STEPS,
  };
}

/** What no further request can answer stays where it is, and is sent as the next message. */
async function messagesFor({ signal, takeMessages }: Turn): Promise<readonly UserMessage[]> {
  return signal.aborted ? [] : ((await takeMessages?.()) ?? []);
}

function isCutAtLimit({ answer }: ModelReply): boolean {
  return answer.finishReason === "length";
}

const CUT_AT_OUTPUT_LIMIT =
  'The answer was cut off at the model\'s output limit. Say "continue" to get the rest.';

/** Asks once more with a shorter conversation if this one did not fit into the context window. */
async function askWithinWindow(
  turn: Turn,
  messages: readonly Message[],
  shorten: Shorten,
): Promise<{ readonly reply: ModelReply; readonly sent: readonly Message[] }> {
  const reply = await askModel(turn, messages);
  const isOverflow = reply.kind === "failed" && reply.failure.code === "overflow";
  const shorter = isOverflow ? await shorten(messages) : undefined;
  if (shorter === undefined) return { reply, sent: messages };
  return { reply: await askModel(turn, shorter), sent: shorter };
}

function callsIn(reply: ModelReply): readonly ToolCallPart[] {
  if (reply.kind !== "answered") return [];
  return reply.answer.parts.filter((part) => part.type === "tool-call");
}

/** Keeps the text of an incomplete answer, but not its calls, because they get no results. */
function toMessage(reply: ModelReply, model: string): AssistantMessage | undefined {
  const { answer, kind } = reply;
  const isComplete = kind === "answered";
  const parts = isComplete ? answer.parts : answer.parts.filter(({ type }) => type === "text");
  if (parts.length === 0) return undefined;
  const cut = cutReason(reply);
  return {
    role: "assistant",
    model,
    parts,
    ...(isComplete ? { usage: answer.usage } : {}),
    ...(cut === undefined ? {} : { cut }),
  };
}

function cutReason({ kind, answer }: ModelReply): AssistantMessage["cut"] {
  if (kind === "answered") return answer.finishReason === "length" ? "length" : undefined;
  return kind;
}

function outcomeOf(reply: ModelReply): TurnOutcome {
  if (reply.kind === "interrupted") return { kind: "interrupted" };
  if (reply.kind === "failed") return { kind: "failed", failure: reply.failure };
  if (reply.answer.finishReason === "content-filter") {
    return { kind: "refused", message: describeRefusal(reply.answer) };
  }
  return { kind: "done" };
}

function describeRefusal({ parts }: Answer): string {
  const hasText = parts.some(({ type }) => type === "text");
  const reason = hasText ? "see its answer" : "without giving a reason";
  return `The model declined to answer (${reason}). Rephrase the request, or choose another model.`;
}
