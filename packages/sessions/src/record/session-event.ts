import type { NewRecord, RewoundRecord } from "./record.ts";
import type { SessionMessage } from "./session-message.ts";

/** What happens in a conversation. The events of `@caliban/agent-core` are among these. */
export type SessionEvent = StoredEvent | TransientEvent;

type StoredEvent =
  | { readonly type: "message"; readonly message: SessionMessage }
  | {
      readonly type: "compacted";
      readonly messages: readonly SessionMessage[];
      readonly beforeTokens: number;
      readonly afterTokens: number;
    }
  | { readonly type: "notice"; readonly message: string }
  | { readonly type: "turn-end"; readonly outcome: SessionOutcome }
  | Omit<RewoundRecord, "at">
  /** Another model continues. */
  | { readonly type: "model"; readonly model: string }
  /** What a subagent does; only its messages are stored. */
  | SubagentEvent;

interface SubagentEvent {
  readonly type: "subagent";
  readonly agent: string;
  readonly number: number;
  readonly event:
    | { readonly type: "message"; readonly message: SessionMessage }
    | { readonly type: Exclude<TransientEvent["type"], "step-start"> | "notice" };
}

/** Not stored, because the messages contain what matters of it. */
interface TransientEvent {
  readonly type:
    | "step-start"
    | "text-delta"
    | "reasoning-delta"
    | "tool-call"
    | "tool-progress"
    | "tool-result"
    | "usage"
    | "retry";
}

interface SessionOutcome {
  readonly kind: string;
  readonly message?: string | undefined;
  readonly failure?: { readonly message: string } | undefined;
}

/** What is stored of an event. Records call the message of a notice or an outcome `sentence`. */
export function toRecord(event: SessionEvent): NewRecord | undefined {
  if (!isStored(event)) return undefined;
  switch (event.type) {
    case "message":
      return { type: "message", message: event.message };
    case "compacted": {
      const { messages, beforeTokens, afterTokens } = event;
      return { type: "compacted", messages, beforeTokens, afterTokens };
    }
    case "notice":
      return { type: "notice", sentence: event.message };
    case "rewound":
      return event;
    case "turn-end":
      return { type: "turn-end", ...toOutcomeRecord(event.outcome) };
    case "model":
      return { type: "model", model: event.model };
    case "subagent":
      return toSubagentRecord(event);
  }
}

function toSubagentRecord({ agent, number, event }: SubagentEvent): NewRecord | undefined {
  if (event.type !== "message") return undefined;
  return { type: "subagent", agent, number, message: event.message };
}

const STORED: ReadonlySet<string> = new Set<StoredEvent["type"]>([
  "message",
  "compacted",
  "notice",
  "rewound",
  "turn-end",
  "model",
  "subagent",
]);

function isStored(event: SessionEvent): event is StoredEvent {
  return STORED.has(event.type);
}

function toOutcomeRecord({ kind, message, failure }: SessionOutcome): {
  readonly outcome: string;
  readonly sentence?: string;
} {
  const sentence = failure?.message ?? message;
  return sentence === undefined ? { outcome: kind } : { outcome: kind, sentence };
}
