import { terminalSafeLine } from "@caliban/common";
import type { AgentEvent } from "./agent-event.ts";
import type { RequestSignal } from "../model/read-stream.ts";
import type { Clock } from "../clock.ts";
import type { ToolCallPart, ToolCallResult } from "../message.ts";
import type { ToolCall, ToolResult } from "../tool.ts";

/** What the calls of one answer need to be run. */
export interface CallRunner {
  /** The `run` of a tool runner: permissions and order are its affair. */
  readonly runTool: (call: ToolCall) => Promise<ToolResult>;
  readonly emit: (event: AgentEvent) => void;
  readonly signal: RequestSignal;
  readonly clock: Clock;
}

/** How many calls of one answer are under way together; a model that makes a thousand must not take the machine down. */
const MOST_AT_ONCE = 8;
/** How many calls of one answer are run at all. */
const MOST_CALLS = 128;

/** Runs the calls together; the results stand in the order of the calls, and there is one for each. */
export async function runCalls(
  calls: readonly ToolCallPart[],
  runner: CallRunner,
): Promise<readonly ToolCallResult[]> {
  const results: ToolCallResult[] = [];
  const waiting = calls.entries();
  const worker = async (): Promise<void> => {
    for (const [index, call] of waiting) {
      const { id, name, input } = call;
      runner.emit({ type: "tool-call", id, name, input });
      // oxlint-disable-next-line no-await-in-loop -- the next one waits for a place
      results[index] = await runCall(call, index < MOST_CALLS ? runner : unrun(runner));
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, worker));
  return results;
}

function unrun(runner: CallRunner): CallRunner {
  const text = `It was not run: at most ${MOST_CALLS} calls of one answer are. Look at the results of the others, and call what is still needed.`;
  return { ...runner, runTool: async () => ({ text, isError: true }) };
}

async function runCall(call: ToolCallPart, runner: CallRunner): Promise<ToolCallResult> {
  const { id, name } = call;
  let startedMs = runner.clock.nowMs();
  const onStart = (): void => {
    startedMs = runner.clock.nowMs();
  };
  const { text, isError = false, data } = await resultOf(call, runner, onStart);
  const durationMs = runner.clock.nowMs() - startedMs;
  runner.emit({ type: "tool-result", id, name, text, isError, data, durationMs });
  return { id, name, text, isError };
}

async function resultOf(
  { name, input }: ToolCallPart,
  runner: CallRunner,
  onStart: () => void,
): Promise<ToolResult> {
  const { runTool, emit, signal } = runner;
  if (typeof input === "string") return { text: noObject(name), isError: true };
  try {
    return await orGivenUp(runTool({ name, input, signal, onStart }), name, runner);
  } catch (error) {
    // A fault of ours must not end the conversation, and must not be passed over either.
    const reason = terminalSafeLine(error instanceof Error ? error.message : String(error));
    const sentence = `${terminalSafeLine(name)} failed, which is a bug in caliban; please report it: ${reason}`;
    emit({ type: "notice", sentence });
    const text = `${name} failed for a reason of its own: ${reason}. Go on without it.`;
    return { text, isError: true };
  }
}

/** Long enough for a tool to end what it has begun, and short enough for a person who wants to go on. */
const GRACE_MS = 3_000;

/** A tool hears of an interruption by its signal and answers in its own words; one that does not is given up. */
async function orGivenUp(
  running: Promise<ToolResult>,
  name: string,
  { signal, clock }: CallRunner,
): Promise<ToolResult> {
  const cleanUp: (() => void)[] = [];
  const givenUp = new Promise<ToolResult>((resolve) => {
    const text = `${name} was interrupted by the person.`;
    const wait = (): void => {
      cleanUp.push(clock.after(GRACE_MS, () => resolve({ text, isError: true })));
    };
    if (signal.aborted) return wait();
    signal.addEventListener("abort", wait);
    cleanUp.push(() => signal.removeEventListener("abort", wait));
  });
  try {
    return await Promise.race([running, givenUp]);
  } finally {
    for (const clean of cleanUp) clean();
  }
}

function noObject(name: string): string {
  return `${name} was not run: its input was not a JSON object. Call it again with the fields of its schema.`;
}
