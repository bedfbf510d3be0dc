import type { CancelSignal } from "@caliban/agent-core";
import type { Host } from "../host.ts";
import type { Hook } from "./hook.ts";
import type { HookFailure } from "./hook-failure.ts";
import { type HookAnswer, parseHookOutput } from "./parse-hook-output.ts";
import { type ProgramEnd, runProgram } from "./run-program.ts";

/** The outcome of one run of a hook. */
export type HookOutcome =
  | { readonly kind: "answered"; readonly answer: HookAnswer }
  | { readonly kind: "failed"; readonly failure: HookFailure }
  /** The user interrupted the turn. */
  | { readonly kind: "interrupted" };

export interface RunHookInput {
  /** What the hook gets as JSON on stdin. */
  readonly input: object;
  readonly signal?: CancelSignal | undefined;
  readonly ending: AbortSignal;
  readonly onExit: Host["onExit"];
}

/** Runs a hook once. */
export async function runHook(
  hook: Hook,
  { input, ...limits }: RunHookInput,
): Promise<HookOutcome> {
  const program = await hook.prepare();
  if ("reason" in program) return failed({ kind: "not-started", reason: program.reason });
  const { timeoutSeconds } = hook;
  const text = `${JSON.stringify(input)}\n`;
  return toOutcome(hook, await runProgram({ ...limits, program, input: text, timeoutSeconds }));
}

/** The exit code with which a hook denies, with the reason on stderr, as hooks of Claude Code do. */
const DENIED = 2;

function toOutcome({ event }: Hook, end: ProgramEnd): HookOutcome {
  if (end.kind === "interrupted") return end;
  if (end.kind !== "ended") return failed(end);
  const { exitCode, signal, stdout, stderr } = end;
  if (exitCode === DENIED && event === "PreToolUse")
    return { kind: "answered", answer: { decision: "deny", reason: stderr.trim() } };
  if (exitCode !== 0) {
    const how =
      exitCode === undefined ? `ended by ${signal ?? "a signal"}` : `exit code ${exitCode}`;
    return failed({ kind: "failed", how, lastLine: lastLine(stderr) });
  }
  const parsed = parseHookOutput(event, stdout);
  return "failure" in parsed ? failed(parsed.failure) : { kind: "answered", answer: parsed.answer };
}

const MAX_LINE_CHARACTERS = 200;

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim().slice(0, MAX_LINE_CHARACTERS).toWellFormed() ?? "";
}

function failed(failure: HookFailure): HookOutcome {
  return { kind: "failed", failure };
}
