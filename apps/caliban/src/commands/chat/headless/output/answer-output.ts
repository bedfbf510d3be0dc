import type { AgentEvent, ModelFailure, Notice, TurnOutcome, Usage } from "@caliban/agent-core";
import type { StartWarning } from "../../../../conversation/prompt/compose-agent.ts";
import type { Host } from "../../../../host.ts";

/** What is known before the first message is sent. */
export interface RunStart {
  readonly version: string;
  /** The value for `--resume`; null for a session that is not saved. */
  readonly session: string | null;
  readonly model: string;
  readonly mode: string;
  /** The names of the tools that the model is offered. */
  readonly tools: readonly string[];
  readonly warnings: readonly StartWarning[];
}

/** An input line that is not a valid message. */
export interface InputError {
  readonly type: "input-error";
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** A call that was not run because it lacked permission. */
export interface Denial {
  readonly tool: string;
  readonly input: unknown;
  /** Why, and what would allow it. */
  readonly reason: string;
}

/** How one message was answered. */
export interface TurnReport {
  readonly outcome: TurnOutcome["kind"];
  /** What went wrong; absent with the outcome `done`. */
  readonly problem?: string;
  /** Present with the outcome `failed`. */
  readonly code?: ModelFailure["code"];
  /** The text of the model's last message. */
  readonly text: string;
  /** The value for `--resume`; null for a session that is not saved. */
  readonly session: string | null;
  readonly model: string;
  readonly usage: Usage;
  /** At list prices; null when the price of a model is not known. */
  readonly costUsd: number | null;
  /** Number of requests to the model. */
  readonly turns: number;
  readonly durationMs: number;
  readonly denials: readonly Denial[];
  /** Slugs of topics that the agent changed, or that were recalled with the message. */
  readonly memory: {
    readonly saved: readonly string[];
    readonly deleted: readonly string[];
    readonly recalled: readonly string[];
    /** The addresses of the memories that notes showed, with the message or with the result of a call, if any did. */
    readonly notes?: readonly string[];
  };
  readonly warnings: readonly string[];
}

/** Prints a run without a screen in one of the output formats. */
export interface AnswerOutput {
  readonly start: (start: RunStart) => void;
  readonly event: (event: AgentEvent) => void;
  readonly notify: (notice: Notice) => void;
  readonly inputError: (error: InputError) => void;
  readonly result: (report: TurnReport) => void;
}

/** Where an output format writes. */
export type AnswerSink = Pick<Host, "isTerminal" | "command" | "stdout" | "stderr" | "report">;
