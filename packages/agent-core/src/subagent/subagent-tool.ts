import { requireArguments } from "@caliban/common";
import type { SubagentEvent } from "../loop/agent-event.ts";
import type { Annotate } from "../loop/annotate-result.ts";
import type { ChildRunner } from "../loop/child-runner.ts";
import { runTurn, type TurnInput } from "../loop/run-turn.ts";
import type { Message } from "../message.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";
import { createSlots, type Slots } from "./slots.ts";
import { createSubagentWatch } from "./subagent-watch.ts";
import { parseSubagentRequest, type SubagentRequest, subagentSchema } from "./subagent-request.ts";
import { toSubagentResult } from "./subagent-result.ts";

/** Everything that a subagent works with. Its calls go through the runner of the main agent. */
export interface Subagent extends Omit<
  TurnInput,
  "messages" | "runTool" | "signal" | "emit" | "takeMessages"
> {
  /** The tools that it is offered. It may call no others. */
  readonly tools: readonly Tool[];
  /** The maximum of all tokens that its requests may use, cached or not. No limit by default. */
  readonly maxTokens?: number | undefined;
  /** What the program adds to its task, such as today's date. */
  readonly note?: string | undefined;
  /** Adds a note to the results of its calls. */
  readonly annotate?: Annotate | undefined;
}

export interface SubagentToolInput {
  /** Opens a subagent. Returns what is wrong with the request, in one sentence for the model, if it cannot. */
  readonly open: (request: SubagentRequest) => Promise<Subagent | { readonly problem: string }>;
  /** Receives what subagents do, such as what their requests used. */
  readonly emit?: ((event: SubagentEvent) => void) | undefined;
  /** The models that can be requested by name, besides the one that is used without a name. */
  readonly models?: readonly string[] | undefined;
  /** Escapes tags and frames in a result that it could pose as. */
  readonly sanitize?: ((text: string) => string) | undefined;
  /** How many run at the same time; others wait. 4 by default. */
  readonly maxParallel?: number | undefined;
  /** How many may be started for one message of the user. 32 by default. */
  readonly maxPerMessage?: number | undefined;
}

const NAME = "Task";

/**
 * Creates the tool that gives a task to a subagent: a turn with messages of its own, of which only the last comes back.
 * Its calls run with the rules, approvals and questions of the runner that runs this tool, so it may do nothing that the
 * main agent may not. Needs a runner of `createToolRunner`.
 *
 * @example
 * import { createSubagentTool, createToolRunner, type Subagent } from "@caliban/agent-core";
 *
 * const usage = {
 *   inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
 *   outputTokens: { total: 1, text: 1, reasoning: 0 },
 * };
 * const model: Subagent["model"] = {
 *   specificationVersion: "v4",
 *   provider: "example",
 *   modelId: "counter",
 *   supportedUrls: {},
 *   doGenerate: () => Promise.reject(new Error("not used")),
 *   doStream: async () => ({
 *     stream: ReadableStream.from([
 *       { type: "text-delta", id: "1", delta: "There are 12 tests." } as const,
 *       { type: "finish", usage, finishReason: { unified: "stop", raw: undefined } } as const,
 *     ]),
 *   }),
 * };
 * const task = createSubagentTool({ open: async () => ({ model, tools: [] }) });
 * const { run } = createToolRunner({ tools: [task] });
 * const input = { description: "count tests", prompt: "How many tests are there?" };
 * const { text } = await run({ name: "Task", input });
 * console.log(text.split("\n")[1]); // There are 12 tests.
 */
export function createSubagentTool(input: SubagentToolInput): Tool {
  requireArguments("createSubagentTool", input, ["open"]);
  const { models = [], maxParallel = 4, maxPerMessage = 32 } = input;
  const slots = createSlots(maxParallel);
  const count = createCounter();
  return {
    name: NAME,
    description:
      "Give a task to a subagent with its own context, such as a broad search. You get its last message only. Several calls at once run in parallel.",
    permission: "task.run",
    // It changes nothing itself, and each of its calls is decided about on its own.
    isReadOnly: true,
    inputSchema: subagentSchema(models),
    run: async (given, context) => {
      const request = parseSubagentRequest(given, models);
      if ("problem" in request) return refused(`${NAME} was not run. ${request.problem}`);
      if (context.createChild === undefined) return refused(ONLY_MAIN_AGENT);
      const number = count(context);
      if (number.inTurn > maxPerMessage) return refused(tooMany(maxPerMessage));
      return await runInSlot(slots, { input, request, context, number: number.total });
    },
  };
}

const ONLY_MAIN_AGENT = `${NAME} was not run: a subagent cannot start subagents. Do this work yourself.`;

function tooMany(max: number): string {
  return `${NAME} was not run: at most ${max} subagents are started for one message of the user. Continue without one, or ask the user to go on.`;
}

function refused(text: string): ToolResult {
  return { text, isError: true, isTrusted: true };
}

/** Counts subagents, and starts over with each message of the user. */
function createCounter(): (context: ToolContext) => {
  readonly inTurn: number;
  readonly total: number;
} {
  let [inTurn, total] = [0, 0];
  let texts: unknown;
  return ({ seen }) => {
    if (seen?.userTexts !== texts) inTurn = 0;
    texts = seen?.userTexts;
    [inTurn, total] = [inTurn + 1, total + 1];
    return { inTurn, total };
  };
}

interface RunInput {
  readonly input: SubagentToolInput;
  readonly request: SubagentRequest;
  readonly context: ToolContext;
  readonly number: number;
}

async function runInSlot(slots: Slots, running: RunInput): Promise<ToolResult> {
  const { request, context } = running;
  if (slots.isFull()) context.progress?.({ text: "waiting for another subagent", lines: 1 });
  return await slots.run(async () => {
    if (context.signal?.aborted === true)
      return refused(`The subagent "${request.description}" was not started: interrupted.`);
    const subagent = await running.input.open(request);
    if ("problem" in subagent) return refused(`${NAME} was not run. ${subagent.problem}`);
    return await runSubagent(subagent, running);
  });
}

async function runSubagent(
  subagent: Subagent,
  { input, request, context, number }: RunInput,
): Promise<ToolResult> {
  const { description: agent, prompt } = request;
  const { annotate, note, tools } = subagent;
  const child = context.createChild?.({ agent, annotate });
  if (child === undefined) return refused(ONLY_MAIN_AGENT);
  const watch = createSubagentWatch({ ...input, subagent, agent, number, context });
  const task: Message = {
    role: "user",
    text: prompt,
    note: [note, ROLE].filter(Boolean).join("\n"),
  };
  watch.emit({ type: "message", message: task });
  const interruption = followSignal(context);
  try {
    const end = await runTurn({
      ...subagent,
      messages: [task],
      runTool: withTools(child, tools),
      beforeStep: async (messages) => watch.exceeded() ?? (await subagent.beforeStep?.(messages)),
      emit: watch.emit,
      signal: interruption.signal,
    });
    const { sanitize = (text) => text } = input;
    return toSubagentResult({ ...end, agent, effort: watch.effort(), sanitize });
  } finally {
    interruption.release();
  }
}

const ROLE =
  "[You are a subagent. The main agent gave you this task. Work on your own: no one answers questions, and you cannot start subagents. The main agent gets your last message and nothing else, so state your result there, with paths, and what you could not do.]";

/** A tool that was not offered is unknown, even if the main agent has it. */
function withTools({ run }: ChildRunner, tools: readonly Tool[]): ChildRunner["run"] {
  const names = new Set(tools.map(({ name }) => name));
  return async (call) =>
    names.has(call.name)
      ? await run(call)
      : refused(`${call.name} is not one of your tools: ${[...names].join(", ")}.`);
}

/** A signal of the platform that follows that of the call. */
function followSignal({ signal }: Pick<ToolContext, "signal">): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort);
  return {
    signal: controller.signal,
    release: () => signal?.removeEventListener("abort", abort),
  };
}
