import type { ModelFailure, TurnOutcome, Usage } from "@caliban/agent-core";

/** A call that was not run for want of permission. */
export interface Denial {
  readonly tool: string;
  readonly input: unknown;
  /** Why, and what would allow it, in words for people. */
  readonly reason: string;
}

/** How one message was answered: the last line of a turn for programs. */
export interface ResultLine {
  readonly type: "result";
  readonly outcome: TurnOutcome["kind"];
  /** With an outcome other than `done`: what went wrong, in a sentence. */
  readonly problem?: string;
  /** With the outcome `failed`. */
  readonly code?: ModelFailure["code"];
  /** The text of the model's last message. */
  readonly text: string;
  /** What `--resume` takes; null for a session that is not kept. */
  readonly session: string | null;
  readonly model: string;
  readonly usage: Usage;
  /** Requests to the model. */
  readonly turns: number;
  readonly durationMs: number;
  readonly denials: readonly Denial[];
  /** Topics by their slugs: changed by the agent, or named to it with the message. */
  readonly memory: {
    readonly saved: readonly string[];
    readonly deleted: readonly string[];
    readonly recalled: readonly string[];
  };
  readonly warnings: readonly string[];
}
