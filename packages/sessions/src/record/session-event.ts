import type { NewRecord } from "./record.ts";
import type { SessionMessage } from "./session-message.ts";

/** What happens in a conversation. The events of `@caliban/agent-core` are among these. */
export type SessionEvent =
  | { readonly type: "message"; readonly message: SessionMessage }
  | {
      readonly type: "compacted";
      readonly messages: readonly SessionMessage[];
      readonly beforeTokens: number;
      readonly afterTokens: number;
    }
  | { readonly type: "notice"; readonly message: string }
  | { readonly type: "turn-end"; readonly outcome: SessionOutcome }
  /** Another model continues. */
  | { readonly type: "model"; readonly model: string }
  /** Not stored, because the messages contain what matters of it. */
  | {
      readonly type:
        | "step-start"
        | "text-delta"
        | "reasoning-delta"
        | "tool-call"
        | "tool-result"
        | "usage"
        | "retry";
    };

interface SessionOutcome {
  readonly kind: string;
  readonly message?: string | undefined;
  readonly failure?: { readonly message: string } | undefined;
}

/** What is stored of an event. Records call the message of a notice or an outcome `sentence`. */
export function toRecord(event: SessionEvent): NewRecord | undefined {
  switch (event.type) {
    case "message":
      return { type: "message", message: event.message };
    case "compacted": {
      const { messages, beforeTokens, afterTokens } = event;
      return { type: "compacted", messages, beforeTokens, afterTokens };
    }
    case "notice":
      return { type: "notice", sentence: event.message };
    case "turn-end": {
      const { kind, message, failure } = event.outcome;
      const sentence = failure?.message ?? message;
      return { type: "turn-end", outcome: kind, ...(sentence === undefined ? {} : { sentence }) };
    }
    case "model":
      return { type: "model", model: event.model };
    case "step-start":
    case "text-delta":
    case "reasoning-delta":
    case "tool-call":
    case "tool-result":
    case "usage":
    case "retry":
      return undefined;
  }
}
