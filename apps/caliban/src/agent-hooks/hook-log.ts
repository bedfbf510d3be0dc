import { appendFileSync, lstatSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseJsonRecord, terminalSafeLine } from "@caliban/common";
import { hasCode } from "@caliban/common/node";

/** Why a hook said nothing although it was called. */
export interface HookProblem {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly agent: string;
  readonly message: string;
}

/** Then it is replaced, and the one before it is kept. */
const MAX_BYTES = 64 * 1024;
const MAX_MESSAGE_CHARACTERS = 500;

/** A hook must not disturb the agent that calls it, so its problems are in a file. */
export function logHookProblem(stateDirectory: string, problem: HookProblem): void {
  const file = join(stateDirectory, "problems.jsonl");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(file, `${file}.old`);
  const message = terminalSafeLine(problem.message).slice(0, MAX_MESSAGE_CHARACTERS);
  appendFileSync(file, `${JSON.stringify({ ...problem, message })}\n`, { mode: 0o600 });
}

/** The problems of the last calls, oldest first. */
export function readHookProblems(stateDirectory: string): readonly HookProblem[] {
  return readText(join(stateDirectory, "problems.jsonl"))
    .split("\n")
    .flatMap((line) => {
      const { atMs, agent, message } = parseJsonRecord(line) ?? {};
      const isValid =
        typeof atMs === "number" && typeof agent === "string" && typeof message === "string";
      return isValid ? [{ atMs, agent, message }] : [];
    });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return "";
    throw error;
  }
}
