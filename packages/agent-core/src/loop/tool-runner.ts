import { createPermissionGate, type PermissionGateInput, requestOf } from "../permissions/permission-gate.ts";
import type { PermissionPolicy } from "../permissions/decide-permission.ts";
import { cancelled, changedMeanwhile, unknownTool } from "../permissions/refusals.ts";
import type { PermissionRequest } from "../permissions/match-rule.ts";
import { categoryOf, type Tool, type ToolCall, type ToolResult } from "../tool.ts";
import { createTurns } from "./keyed-queue.ts";

/** The tools of a session, what decides over them, and whom to tell and to ask. */
export interface ToolRunnerInput extends Omit<PermissionGateInput, "policy" | "notify"> {
  /** No two with one name. */
  readonly tools: readonly Tool[];
  /** Without it there are no rules: memory and tools that only look are allowed, the person is asked about others. */
  readonly policy?: PermissionGateInput["policy"] | undefined;
  /** Says one line to the person. Without it, nothing is said. */
  readonly notify?: PermissionGateInput["notify"] | undefined;
  readonly session?: string | undefined;
}

/** Runs the model's calls. */
export interface ToolRunner {
  /**
   * Refusals are error results, those for want of permission with the data `{ code: "DENIED", sentence }`, where the
   * sentence is for the person, and those of a call that is about something else by the time it is allowed with the data
   * `{ code: "CHANGED" }`; an exception is a bug of the tool, and the next call works all the same.
   */
  readonly run: (call: ToolCall) => Promise<ToolResult>;
  /** What tools did before this is no longer a source of what comes. */
  readonly personSpoke: () => void;
}

/** Calls run at once, those with the same order key in the order in which they came. */
export function createToolRunner(input: ToolRunnerInput): ToolRunner {
  const { session, policy = NO_RULES, notify = () => undefined } = input;
  const tools = toolsByName(input.tools);
  const refusalOf = createPermissionGate({ ...input, policy, notify });
  const turns = createTurns();
  let used: readonly string[] = [];

  const runAllowed = async (tool: Tool, call: ToolCall): Promise<ToolResult> => {
    const decided = requestOf(tool, call);
    const refusal = await refusalOf(decided, call);
    const { signal } = call;
    if (signal?.aborted === true) return refused(cancelled(tool.name));
    if (refusal !== undefined) {
      const { text, sentence } = refusal;
      return { ...refused(text), data: { code: "DENIED", sentence } };
    }
    // While a person was asked, another call may have put a link in the way.
    if (!isSame(decided, requestOf(tool, call))) {
      return { ...refused(changedMeanwhile(tool.name)), data: { code: "CHANGED" } };
    }
    const after = used;
    used = [...new Set([...used, tool.name])];
    call.onStart?.();
    return await tool.run(call.input, { session, after, notify, signal });
  };

  return {
    run: async (call) => {
      const tool = tools.get(call.name);
      if (tool === undefined) return refused(unknownTool(call.name, tools.keys()));
      const key = turnKey(tool, call.input);
      if (key === undefined) return await runAllowed(tool, call);
      return await turns.take(key, () => runAllowed(tool, call));
    },
    personSpoke: () => {
      used = [];
    },
  };
}

const NO_RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

function toolsByName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // The person's rules were written for one of them.
  if (byName.size < tools.length) throw new Error("two tools have the same name");
  return byName;
}

/** By category, because reading and writing one thing are two tools. */
function turnKey(tool: Tool, input: unknown): string | undefined {
  const key = tool.orderKey?.(input);
  return key === undefined ? undefined : `${categoryOf(tool.permission)}.${key}`;
}

function isSame(one: PermissionRequest, other: PermissionRequest): boolean {
  return one.subject === other.subject && one.protectedBecause === other.protectedBecause;
}

function refused(text: string): ToolResult {
  return { text, isError: true };
}
