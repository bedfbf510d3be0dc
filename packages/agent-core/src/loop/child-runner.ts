import type { ToolCall, ToolResult } from "../tool.ts";
import type { Annotate } from "./annotate-result.ts";

/** What a subagent is called, and what is added to its results. */
export interface ChildRunnerInput {
  /** Shown to the user with every question. */
  readonly agent: string;
  /** Adds a note to the text of a result. Without it there are none: those of the main agent are for the main agent. */
  readonly annotate?: Annotate | undefined;
}

/** Runs the calls of a subagent with the rules, approvals, questions and order of the runner that created it. */
export interface ChildRunner {
  readonly run: (call: ToolCall) => Promise<ToolResult>;
}

/**
 * Creates the runner of a subagent. It starts with what the main agent has read, so that nothing counts as the user's words
 * that does not there.
 */
export type CreateChildRunner = (input: ChildRunnerInput) => ChildRunner;
