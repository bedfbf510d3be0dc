import type {
  AgentEvent,
  AgentView,
  AssistantPart,
  Notice,
  TurnOutcome,
} from "@caliban/agent-core";
import type { Conversation } from "../../../../src/conversation/conversation.ts";
import type { StartWarning } from "../../../../src/conversation/prompt/compose-agent.ts";

/** One turn as a model would produce it. */
export interface ScriptedTurn {
  readonly events?: readonly AgentEvent[];
  readonly notices?: readonly Notice[];
  readonly outcome?: TurnOutcome;
  /** Runs until it is interrupted. */
  readonly isEndless?: boolean;
}

/** A conversation that records how it was used. */
export interface ScriptedConversation {
  readonly conversation: Conversation;
  readonly sent: readonly string[];
  readonly closed: () => number;
  readonly canAsk: () => boolean;
}

/** Plays turns. Has only the members that a run without a screen uses. */
export function scriptedConversation(
  turns: readonly ScriptedTurn[],
  {
    isSaved = true,
    warnings = [],
    unpriced = [],
  }: {
    readonly isSaved?: boolean;
    readonly warnings?: readonly StartWarning[];
    /** Models without a known price. */
    readonly unpriced?: readonly string[];
  } = {},
): ScriptedConversation {
  const sent: string[] = [];
  let closed = 0;
  let requests = 0;
  let view: AgentView | undefined;
  let interrupt: (() => void) | undefined;
  const used = {
    attach: (attached: AgentView) => {
      view = attached;
    },
    id: () => "s-1",
    isSaved: () => isSaved,
    model: () => "test/scripted",
    policy: () => ({ allow: [], ask: [], deny: [], mode: "default" }),
    tools: () => [{ name: "Read" }, { name: "Bash" }],
    warnings: () => warnings,
    // Each request costs a tenth of a dollar.
    spent: () => ({ cost: { dollars: requests * 0.1, unpriced } }),
    send: async (text: string): Promise<TurnOutcome> => {
      const { events = [], notices = [], isEndless, outcome } = turns[sent.length] ?? {};
      sent.push(text);
      requests += events.filter(({ type }) => type === "usage").length;
      for (const event of events) view?.emit(event);
      for (const notice of notices) view?.notify(notice);
      if (isEndless !== true) return outcome ?? { kind: "done" };
      await new Promise<void>((resolve) => (interrupt = resolve));
      return { kind: "interrupted" };
    },
    interrupt: () => {
      interrupt?.();
      return interrupt !== undefined;
    },
    close: async () => void (closed += 1),
  };
  return {
    conversation: used as unknown as Conversation,
    sent,
    closed: () => closed,
    canAsk: () => view?.ask !== undefined,
  };
}

/** The events of a text answer. */
export function says(text: string): readonly AgentEvent[] {
  return [
    { type: "step-start", step: 1 },
    { type: "text-delta", text },
    assistant([{ type: "text", text }]),
    { type: "usage", usage: USAGE },
  ];
}

export const USAGE = {
  inputTokens: 10,
  outputTokens: 2,
  cacheReadTokens: 4,
  cacheWriteTokens: 1,
} as const;

/** The events of one tool call. */
export function calls(
  name: string,
  result: { readonly text: string; readonly isError?: boolean; readonly data?: unknown },
): readonly AgentEvent[] {
  const input = { name };
  const { text, isError = false, data } = result;
  return [
    { type: "step-start", step: 1 },
    assistant([
      { type: "text", text: "Let me see." },
      { type: "tool-call", id: `${name}-1`, name, input },
    ]),
    { type: "usage", usage: USAGE },
    { type: "tool-call", id: `${name}-1`, name, input },
    { type: "tool-result", id: `${name}-1`, name, text, isError, data, durationMs: 1 },
  ];
}

function assistant(parts: readonly AssistantPart[]): AgentEvent {
  return { type: "message", message: { role: "assistant", model: "test/scripted", parts } };
}
