import type { TurnOutcome } from "./agent-event.ts";
import { askModel, type Asked, type ModelRequest } from "../model/ask-model.ts";
import type { Answer } from "../model/collect-answer.ts";
import type { AssistantMessage, Message, ToolCallPart } from "../message.ts";
import { type CallRunner, runCalls } from "./run-calls.ts";

/** All that a turn works with. Nothing is taken from anywhere else. */
export interface TurnInput extends ModelRequest, CallRunner {
  /** The conversation so far; its last message is the person's. */
  readonly messages: readonly Message[];
  /** How often the model may be asked in this turn. */
  readonly maxSteps: number;
  /** May hand back a shorter conversation before the model is asked again, or `undefined` to leave it. */
  readonly beforeStep?: ((messages: readonly Message[]) => Promise<Shortened>) | undefined;
  /** The same when the model's window was too small. */
  readonly onOverflow?: ((messages: readonly Message[]) => Promise<Shortened>) | undefined;
}

type Shortened = readonly Message[] | undefined;

/** How a turn ended, and the conversation with all that it added. */
export interface TurnResult {
  readonly messages: readonly Message[];
  readonly outcome: TurnOutcome;
}

/**
 * Asks the model, runs what it calls, and asks again until it calls nothing. Whatever happens, the conversation that
 * comes back can be gone on with: every call in it has its result.
 */
export async function runTurn(input: TurnInput): Promise<TurnResult> {
  const { emit, signal } = input;
  let { messages } = input;
  const add = (message: Message): void => {
    messages = [...messages, message];
    emit({ type: "message", message });
  };
  const end = (outcome: TurnOutcome): TurnResult => {
    emit({ type: "turn-end", outcome });
    return { messages, outcome };
  };

  for (let step = 1; step <= input.maxSteps && !signal.aborted; step++) {
    /* oxlint-disable no-await-in-loop -- each step builds on the one before */
    messages = (await input.beforeStep?.(messages)) ?? messages;
    emit({ type: "step-start", step });
    const { asked, of } = await askShortened(input, messages);
    messages = of;
    const message = answerMessage(asked, input.modelName);
    if (message !== undefined) add(message);
    const calls = callsOf(asked);
    if (calls.length === 0) {
      if (asked.answer.finishReason === "length") emit({ type: "notice", sentence: CUT_AT_LIMIT });
      return end(outcomeOf(asked));
    }
    add({ role: "tool", results: await runCalls(calls, input) });
    /* oxlint-enable no-await-in-loop */
  }
  const { maxSteps } = input;
  return end(signal.aborted ? { kind: "interrupted" } : { kind: "step-limit", maxSteps });
}

const CUT_AT_LIMIT =
  'The answer was cut at the model\'s limit for one answer. Say "go on" for the rest.';

/** Asks once more with a shorter conversation when the model's window was too small for this one. */
async function askShortened(
  input: TurnInput,
  messages: readonly Message[],
): Promise<{ readonly asked: Asked; readonly of: readonly Message[] }> {
  const asked = await askModel(input, messages);
  const isOverflow = asked.kind === "failed" && asked.failure.code === "overflow";
  const shorter = isOverflow ? await input.onOverflow?.(messages) : undefined;
  if (shorter === undefined) return { asked, of: messages };
  return { asked: await askModel(input, shorter), of: shorter };
}

function callsOf(asked: Asked): readonly ToolCallPart[] {
  if (asked.kind !== "answered") return [];
  return asked.answer.parts.filter((part) => part.type === "tool-call");
}

/** What was said is kept, also when it broke off; calls of an answer that broke off are not, because nothing answers them. */
function answerMessage(asked: Asked, model: string): AssistantMessage | undefined {
  const { answer, kind } = asked;
  const isWhole = kind === "answered";
  const parts = isWhole ? answer.parts : answer.parts.filter(({ type }) => type === "text");
  if (parts.length === 0) return undefined;
  const cut = cutOf(asked);
  return {
    role: "assistant",
    model,
    parts,
    ...(isWhole ? { usage: answer.usage } : {}),
    ...(cut === undefined ? {} : { cut }),
  };
}

function cutOf({ kind, answer }: Asked): AssistantMessage["cut"] {
  if (kind === "answered") return answer.finishReason === "length" ? "length" : undefined;
  return kind;
}

function outcomeOf(asked: Asked): TurnOutcome {
  if (asked.kind === "interrupted") return { kind: "interrupted" };
  if (asked.kind === "failed") return { kind: "failed", failure: asked.failure };
  if (asked.answer.finishReason === "content-filter") {
    return { kind: "refused", sentence: refusal(asked.answer) };
  }
  return { kind: "done" };
}

function refusal({ parts }: Answer): string {
  const hasText = parts.some(({ type }) => type === "text");
  const why = hasText ? "in its own words" : "without saying why";
  return `The model declined to answer, ${why}. Put it in other words, or choose another model.`;
}
