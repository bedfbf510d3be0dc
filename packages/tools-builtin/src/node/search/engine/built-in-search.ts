import { sep } from "node:path";
import { walkFiles } from "../walk/walk-files.ts";
import type { ScanJob } from "./scan-worker.ts";
import { createSearchDeadline } from "./search-deadline.ts";
import { startScanner } from "./start-scanner.ts";
import {
  MAX_FILE_BYTES,
  MAX_LINE_CHARACTERS,
  type SearchEngine,
  type SearchRequest,
} from "./search-request.ts";

const NAMES_PER_BATCH = 64;

/** Searches without ripgrep: this thread walks the directories, a worker reads the files and is ended at the timeout. */
export const builtInSearch: SearchEngine = async (request, onFile) => {
  const job = createJob(request);
  if ("problem" in job) return { kind: "failed", message: job.problem };
  const scanner = await startScanner(job);
  // An expression that backtracks forever can only be stopped by ending what runs it.
  const deadline = createSearchDeadline(request, () => void scanner.end());
  try {
    for await (const batch of batchesOf(request, () => deadline.stopped() !== undefined)) {
      const found = await Promise.race([scanner.scan(batch), deadline.reached]);
      if (typeof found === "string") return { kind: found };
      if (found.some((file) => onFile(file) === "enough")) return { kind: "enough" };
    }
    return { kind: deadline.stopped() ?? "done" };
  } finally {
    deadline.release();
    await scanner.end();
  }
};

/** Uses the Unicode flag if the expression allows it. Some old expressions are only valid without it. */
function createJob(request: SearchRequest): ScanJob | { readonly problem: string } {
  const { pattern, ignoreCase, target, contextLines, maxMatches } = request;
  const job = {
    source: pattern,
    target,
    below: target.endsWith(sep) ? target : target + sep,
    separator: sep,
    contextLines,
    maxMatches,
    maxLineCharacters: MAX_LINE_CHARACTERS,
    maxFileBytes: MAX_FILE_BYTES,
  };
  const flags = ignoreCase ? "i" : "";
  if (findRegexProblem(pattern, `${flags}u`) === undefined) return { ...job, flags: `${flags}u` };
  const problem = findRegexProblem(pattern, flags);
  return problem === undefined ? { ...job, flags } : { problem };
}

function findRegexProblem(pattern: string, flags: string): string | undefined {
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
  const { target, top, isDirectory, includes, ignoreNameCase, onSkippedRules } = request;
  if (!isDirectory) {
    yield [""];
    return;
  }
  let batch: string[] = [];
  for await (const name of walkFiles({
    directory: target,
    top,
    ignoreCase: ignoreNameCase,
    isOver,
    onSkippedRules,
  })) {
    if (includes(name)) batch.push(name);
    if (batch.length < NAMES_PER_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
