import { terminalSafeLine } from "@caliban/common";
import type { Clock } from "../clock.ts";
import type { ToolCallPart, ToolCallResult } from "../message.ts";
import type { RequestSignal } from "../model/read-stream.ts";
import type { ToolCall, ToolProgress, ToolResult } from "../tool.ts";
import type { AgentEvent } from "./agent-event.ts";
import { resultFacts } from "./result-facts.ts";

/** Everything that running the calls of one answer needs. */
export interface CallContext {
  /** The `run` of a tool runner, which takes care of permissions and order. */
  readonly runTool: (call: ToolCall) => Promise<ToolResult>;
  readonly emit: (event: AgentEvent) => void;
  readonly signal: RequestSignal;
  readonly clock: Clock;
}

/** A result as the conversation keeps it, and the tool's data, which it does not keep. */
export interface FinishedCall {
  readonly result: ToolCallResult;
  readonly data: unknown;
}

/** The maximum number of calls that run at the same time. A model that makes a thousand must not overload the machine. */
const MAX_PARALLEL_CALLS = 8;
/** The maximum number of calls of one answer that run at all. */
const MAX_CALLS = 128;

/** Runs the calls in parallel. There is one result for each call, in the order of the calls. */
export async function runCalls(
  calls: readonly ToolCallPart[],
  context: CallContext,
): Promise<readonly FinishedCall[]> {
  const finished: FinishedCall[] = [];
  const waiting = calls.entries();
  const worker = async (): Promise<void> => {
    for (const [index, call] of waiting) {
      const { id, name, input } = call;
      context.emit({ type: "tool-call", id, name, input });
      finished[index] = await runCall(call, index < MAX_CALLS ? context : withoutRunning(context));
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_CALLS }, worker));
  return finished;
}

function withoutRunning(context: CallContext): CallContext {
  const text = `Not run: at most ${MAX_CALLS} calls of one answer are run. Check the other results, then repeat the calls that are still needed.`;
  return { ...context, runTool: async () => ({ text, isError: true }) };
}

async function runCall(call: ToolCallPart, context: CallContext): Promise<FinishedCall> {
  const { id, name } = call;
  let startedMs = context.clock.nowMs();
  const onStart = (): void => {
    startedMs = context.clock.nowMs();
  };
  const { text, isError = false, data, images } = await runTool(call, context, onStart);
  const durationMs = context.clock.nowMs() - startedMs;
  context.emit({ type: "tool-result", id, name, text, isError, data, durationMs });
  const facts = resultFacts(data, durationMs);
  const seen = images === undefined ? {} : { images };
  return { result: { id, name, text, isError, facts, ...seen }, data };
}

async function runTool(
  { id, name, input }: ToolCallPart,
  context: CallContext,
  onStart: () => void,
): Promise<ToolResult> {
  const { emit, signal } = context;
  if (typeof input === "string") {
    const text = `${name} was not run: its input was not a JSON object. Call it again with the fields of its schema.`;
    return { text, isError: true };
  }
  try {
    const onProgress = (progress: ToolProgress): void =>
      emit({ type: "tool-progress", id, ...progress });
    const running = context.runTool({ name, input, signal, onStart, onProgress });
    return await unlessInterrupted(running, name, context);
  } catch (error) {
    // A bug in a tool must not end the conversation, and must not go unnoticed either.
    const reason = terminalSafeLine(error instanceof Error ? error.message : String(error));
    const message = `${terminalSafeLine(name)} failed. This is a bug in caliban; please report it: ${reason}`;
    emit({ type: "notice", message });
    const text = `${name} failed because of an internal error: ${reason}. Continue without it.`;
    return { text, isError: true };
  }
}

/** Long enough for a tool to finish what it has started, and short enough for a waiting user. */
const GRACE_MS = 3_000;

/** An interrupted tool gets the signal and a moment to return its own result. After that it is abandoned. */
async function unlessInterrupted(
  running: Promise<ToolResult>,
  name: string,
  { signal, clock }: CallContext,
): Promise<ToolResult> {
  const cleanUp: (() => void)[] = [];
  const abandoned = new Promise<ToolResult>((resolve) => {
    const text = `${name} was interrupted by the user.`;
    const wait = (): void => {
      cleanUp.push(clock.after(GRACE_MS, () => resolve({ text, isError: true })));
    };
    if (signal.aborted) return wait();
    signal.addEventListener("abort", wait);
    cleanUp.push(() => signal.removeEventListener("abort", wait));
  });
  try {
    return await Promise.race([running, abandoned]);
  } finally {
    for (const clean of cleanUp) clean();
  }
}
