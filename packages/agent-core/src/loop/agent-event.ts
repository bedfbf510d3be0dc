import type { Message, Usage } from "../message.ts";
import type { ModelFailure } from "../model/model-failure.ts";

/** What happens while the agent works, in the order in which it happens. The union is closed: a screen can show them all. */
export type AgentEvent =
  | { readonly type: "step-start"; readonly step: number }
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** A call is complete and about to be run, or to be asked about. */
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      readonly data?: unknown;
      readonly durationMs: number;
    }
  /** A whole message that belongs to the conversation from now on: this is what is stored. */
  | { readonly type: "message"; readonly message: Message }
  /** What one request took. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** The model is asked again after a pause. What was shown of the failed answer no longer counts. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly delayMs: number;
      readonly failure: ModelFailure;
    }
  /** Something a person should hear of, in a sentence. */
  | { readonly type: "notice"; readonly sentence: string }
  /** The older part of the conversation was replaced by a summary. */
  | {
      readonly type: "compacted";
      readonly beforeTokens: number;
      readonly afterTokens: number;
      readonly messages: readonly Message[];
    }
  | { readonly type: "turn-end"; readonly outcome: TurnOutcome };

/** How a turn ended. */
export type TurnOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "interrupted" }
  /** The model wanted to go on and was not let. */
  | { readonly kind: "step-limit"; readonly maxSteps: number }
  /** The model declined to answer, or its provider did. */
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "failed"; readonly failure: ModelFailure };
