import type { AgentEvent } from "@caliban/agent-core";
import type { ResultLine } from "./result-line.ts";

/** What is known before the first message is sent. */
export interface InitLine {
  readonly type: "init";
  readonly version: string;
  /** What `--resume` takes; null for a session that is not kept. */
  readonly session: string | null;
  readonly model: string;
  readonly mode: string;
  /** Names of the tools that the model is offered. */
  readonly tools: readonly string[];
  readonly warnings: readonly string[];
}

/** A line of the input that is no message. */
export interface InputErrorLine {
  readonly type: "input-error";
  /** Counted from 1. */
  readonly line: number;
  readonly sentence: string;
}

/** What happens in a run without a screen, told in one of the output formats. */
export interface AnswerOutput {
  readonly begin: (init: InitLine) => void;
  readonly event: (event: AgentEvent) => void;
  /** One line for the person, such as a saved memory. */
  readonly notify: (sentence: string) => void;
  readonly inputError: (error: InputErrorLine) => void;
  readonly result: (result: ResultLine) => void;
}

/** Where a format writes to, and for whom. */
export interface AnswerSink {
  readonly isTerminal: boolean;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
