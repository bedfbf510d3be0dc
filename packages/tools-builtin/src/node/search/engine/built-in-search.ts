import type { Worker } from "node:worker_threads";
import { type ScanJob, scanProgram } from "./scan-worker.ts";
import { createSearchDeadline } from "./search-deadline.ts";
import {
  type FoundFile,
  MAX_FILE_BYTES,
  MAX_LINE_CHARACTERS,
  type SearchEngine,
  type SearchRequest,
} from "./search-request.ts";
import { walkFiles } from "../walk/walk-files.ts";

const NAMES_PER_BATCH = 64;

/** A search without ripgrep: this thread walks, a worker looks into the files, and is ended when its time is over. */
export const builtInSearch: SearchEngine = async (request, onFile) => {
  const order = orderOf(request);
  if ("problem" in order) return { kind: "failed", message: order.problem };
  const { Worker: WorkerThread } = await import("node:worker_threads");
  const worker = new WorkerThread(scanProgram(), {
    eval: true,
    workerData: order,
    env: {},
    execArgv: [],
  });
  // An expression that runs for ever hears nothing: only the end of its thread stops it.
  const clock = createSearchDeadline(request, () => void worker.terminate());
  try {
    for await (const batch of batchesOf(request, () => clock.stopped() !== undefined)) {
      const found = await Promise.race([askWorker(worker, batch), clock.over]);
      if (typeof found === "string") return { kind: found };
      if (found.some((file) => onFile(file) === "enough")) return { kind: "enough" };
    }
    return { kind: clock.stopped() ?? "done" };
  } finally {
    clock.release();
    await worker.terminate();
  }
};

/** Characters are whole ones where the expression allows it; some old ones mean something only without. */
function orderOf(request: SearchRequest): ScanJob | { readonly problem: string } {
  const { pattern, ignoreCase, target, contextLines, maxMatches: mostMatches } = request;
  const rest = {
    source: pattern,
    directory: target,
    contextLines,
    mostMatches,
    mostLineCharacters: MAX_LINE_CHARACTERS,
    mostFileBytes: MAX_FILE_BYTES,
  };
  const letters = ignoreCase ? "i" : "";
  if (regexProblem(pattern, `${letters}u`) === undefined) return { ...rest, flags: `${letters}u` };
  const problem = regexProblem(pattern, letters);
  return problem === undefined ? { ...rest, flags: letters } : { problem };
}

function regexProblem(pattern: string, flags: string): string | undefined {
  try {
    void new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

async function* batchesOf(
  request: SearchRequest,
  isOver: () => boolean,
): AsyncGenerator<readonly string[]> {
  const {
    target,
    top,
    isDirectory,
    includes: isWanted,
    ignoreNameCase: ignoreCaseOfNames,
    onSkippedRules: onUnfollowed,
  } = request;
  if (!isDirectory) {
    yield [""];
    return;
  }
  let batch: string[] = [];
  for await (const name of walkFiles({
    directory: target,
    top,
    ignoreCase: ignoreCaseOfNames,
    isOver,
    onSkippedRules: onUnfollowed,
  })) {
    if (isWanted(name)) batch.push(name);
    if (batch.length < NAMES_PER_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function askWorker(worker: Worker, names: readonly string[]): Promise<readonly FoundFile[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly FoundFile[]>();
  worker.once("message", resolve);
  worker.once("error", reject);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is no window
  worker.postMessage(names);
  try {
    return await promise;
  } finally {
    worker.off("message", resolve);
    worker.off("error", reject);
  }
}
