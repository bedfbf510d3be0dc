// Runs the pipeline in its own process, and optionally kills it at a given step.
import { join } from "node:path";
import { nodeDisk } from "@caliban/common/node";
import type { CompletionModel, CompletionRequest } from "../../../src/model/completion.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { runPipeline } from "../../../src/node/run/run-pipeline.ts";
import { calibanSource } from "../../../src/node/sources/caliban-source.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import { systemClock } from "../../../src/node/system-clock.ts";
import { extractId, mergeLines } from "./scripted-answers.ts";

/** The input of the process, as JSON. */
export interface ProcessInput {
  /** State and memory. */
  readonly directory: string;
  readonly sessions: string;
  /** A model behind HTTP; without it, the process answers itself. */
  readonly url?: string;
  /** Kills the process at this step. */
  readonly killAtStep?: number;
  /** Kills the process when the model is asked about this session. */
  readonly killAtSession?: string;
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
}

const input = JSON.parse(process.argv[2] ?? "{}") as ProcessInput;
let steps = 0;

/** A step is the moment after every call of a wrapped function, which is also the moment before the next one. */
function step(): void {
  steps += 1;
  if (steps === input.killAtStep) killProcess();
}

function killProcess(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment; nothing else happens meanwhile.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function wrapped<Wrapped extends object>(object: Wrapped): Wrapped {
  const entries = Object.entries(object).map(([name, value]: [string, unknown]) => {
    if (typeof value === "function") return [name, wrappedFunction(value)];
    const hasMembers = typeof value === "object" && value !== null && !Array.isArray(value);
    return [name, hasMembers ? wrapped(value) : value];
  });
  return Object.fromEntries(entries) as Wrapped;
}

function wrappedFunction(run: Function): (...args: readonly unknown[]) => unknown {
  return (...args) => {
    const result: unknown = run(...args);
    if (!(result instanceof Promise)) {
      step();
      return result;
    }
    return result.then((value: unknown) => {
      step();
      return value;
    });
  };
}

async function answer(request: CompletionRequest): Promise<string> {
  const { task, system, input: question, signal } = request;
  if (task.kind === "extract" && task.threadId === input.killAtSession) killProcess();
  if (input.url === undefined)
    return task.kind === "extract" ? extractId(request) : mergeLines(request);
  const about = task.kind === "extract" ? task.threadId : "memory";
  const body = JSON.stringify({ system, input: question });
  const response = await fetch(`${input.url}/${about}`, { method: "POST", body, signal });
  return await response.text();
}

const model: CompletionModel = {
  complete: async (request) => ({ text: await answer(request) }),
  contextWindow: () => 200_000,
  extractor: { id: "model/1", replaces: [] },
};

const clock = systemClock();
const store = await openPipelineStore({ path: join(input.directory, "memories.sqlite") });
const report = await runPipeline({
  project: "project",
  store: wrapped(store),
  generations: createGenerations({
    directory: join(input.directory, "autonomous"),
    disk: wrapped(nodeDisk),
  }),
  sources: [wrapped(calibanSource({ directory: input.sessions }))],
  model: wrapped(model),
  clock: { ...clock, nowMs: () => clock.nowMs() + (input.aheadMs ?? 0) },
});
store.close();
process.stdout.write(JSON.stringify({ report, steps }));
