import type { Message } from "../message.ts";
import type { ModelEvent } from "../model/model-event.ts";
import type { ToolProgress } from "../tool.ts";
import type { ModelFailure } from "../model/model-failure.ts";

/** Everything that happens while the agent works, in order. The union is closed, so a screen can handle every case. */
export type AgentEvent =
  | ModelEvent
  /** Something that a subagent does. Its text is not streamed. */
  | SubagentEvent
  | { readonly type: "step-start"; readonly step: number }
  /** A call is complete. It runs next, or the user is asked about it first. */
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    }
  /** What a running call has printed so far; not stored, and never sent to a model. */
  | ({ readonly type: "tool-progress"; readonly id: string } & ToolProgress)
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      readonly data?: unknown;
      readonly durationMs: number;
    }
  /** A complete message that is now part of the conversation. This is what gets stored. */
  | { readonly type: "message"; readonly message: Message }
  /** Something the user should know. */
  | { readonly type: "notice"; readonly message: string }
  /** The older part of the conversation was replaced by a summary. */
  | {
      readonly type: "compacted";
      readonly beforeTokens: number;
      readonly afterTokens: number;
      readonly messages: readonly Message[];
    }
  | { readonly type: "turn-end"; readonly outcome: TurnOutcome };

/** What a subagent does, in the turn of the agent that started it. */
export interface SubagentEvent {
  readonly type: "subagent";
  /** As the model described its task. Several can have the same description. */
  readonly agent: string;
  /** Differs between the subagents of a conversation. */
  readonly number: number;
  /** The `provider/model` that it uses. */
  readonly model: string;
  readonly event: Extract<
    AgentEvent,
    { readonly type: "usage" | "retry" | "tool-call" | "tool-result" | "message" | "notice" }
  >;
}

/** The outcome of a turn. */
export type TurnOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "interrupted" }
  /** The model was stopped although it wanted to continue. */
  | { readonly kind: "step-limit"; readonly maxSteps: number }
  /** The program did not allow another request, because of what it would cost. */
  | { readonly kind: "budget"; readonly message: string }
  /** The message cannot be sent as it is, and is not part of the conversation. */
  | { readonly kind: "not-sent"; readonly message: string }
  /** The model or its provider declined to answer. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "failed"; readonly failure: ModelFailure };
