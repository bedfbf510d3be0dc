import { estimateTokens } from "@caliban/common";
import { classifyError, type ClassifiedError } from "../../classify-error.ts";
import { bookedUsage } from "../../booked-usage.ts";
import type { Completion, CompletionRequest } from "../../complete.ts";
import { PipelineError } from "../../errors.ts";
import { endRun, type PipelineRun } from "./pipeline-parts.ts";

/** What came of one question. */
export type Asked =
  | { readonly kind: "answered"; readonly completion: Completion }
  | { readonly kind: "failed"; readonly failure: ClassifiedError }
  /** The person stopped it, or there is nothing left to spend. */
  | { readonly kind: "stopped" }
  | { readonly kind: "lost" };

export type Question = Omit<CompletionRequest, "signal">;

/** Asks once, within the time and the budget. What a request will cost is booked before it is made: a crash cannot hide it. */
export async function ask(run: PipelineRun, question: Question, lost: AbortSignal): Promise<Asked> {
  const isLocal = run.model.isLocal?.(question.role) === true;
  const estimate = isLocal ? 0 : estimateTokens(question.system) + estimateTokens(question.input);
  if (!isLocal && isOverBudget(run, estimate)) return { kind: "stopped" };
  if (!isLocal) spend(run, { requests: 1, inputTokens: estimate, outputTokens: 0 });
  const limits = createLimits(run, lost);
  try {
    const completion = await Promise.race([
      run.model.complete({ ...question, signal: limits.signal }),
      limits.ended,
    ]);
    if (completion === undefined) return endedBy(run, limits);
    if (!isLocal) book(run, estimate, completion);
    return { kind: "answered", completion };
  } catch (error) {
    if (limits.signal.aborted) return endedBy(run, limits);
    const failure = classifyError(error);
    if (!isLocal) bookFailure(run, estimate, { error, failure });
    return { kind: "failed", failure };
  } finally {
    limits.letGo();
  }
}

/** Whether a request would go over what a day may cost; then the run ends here. */
function isOverBudget(run: PipelineRun, estimate: number): boolean {
  const { dailyTokenBudget } = run.settings;
  if (dailyTokenBudget === 0) return false;
  const spent = run.store.ledger.spentTokens(run.clock.nowMs());
  if (spent + estimate <= dailyTokenBudget) return false;
  const reason = `the daily budget of ${count(dailyTokenBudget)} tokens is used up (${count(spent)} spent since 00:00 UTC); it goes on tomorrow, or with a larger memories.daily_token_budget`;
  const isFirst = run.tally.requests === 0;
  endRun(run, { outcome: isFirst ? "skipped" : "stopped", reason });
  return true;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

function book(run: PipelineRun, estimate: number, { text, usage }: Completion): void {
  const estimated = { inputTokens: estimate, outputTokens: estimateTokens(text) };
  const { inputTokens, outputTokens } = bookedUsage(usage, estimated);
  spend(run, { requests: 0, inputTokens: inputTokens - estimate, outputTokens });
}

/** What never came to an answer is not paid for; what failed after one is. */
function bookFailure(
  run: PipelineRun,
  estimate: number,
  { error, failure }: { readonly error: unknown; readonly failure: ClassifiedError },
): void {
  const usage = error instanceof PipelineError ? error.usage : undefined;
  if (usage !== undefined) return book(run, estimate, { text: "", usage });
  if (failure.errorClass === "permanent") return;
  spend(run, { requests: 0, inputTokens: -estimate, outputTokens: 0 });
}

function spend(
  { store, tally, runId, clock, onEvent }: PipelineRun,
  spent: {
    readonly requests: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  },
): void {
  store.ledger.spend(runId, spent, clock.nowMs());
  tally.requests += spent.requests;
  tally.inputTokens += spent.inputTokens;
  tally.outputTokens += spent.outputTokens;
  const { requests, inputTokens, outputTokens } = tally;
  onEvent?.({ type: "spent", requests, tokens: inputTokens + outputTokens });
}

interface Limits {
  readonly signal: AbortSignal;
  readonly lost: AbortSignal;
  readonly isLate: () => boolean;
  /** Comes when the signal does, because a model function may not listen to it. */
  readonly ended: Promise<undefined>;
  readonly letGo: () => void;
}

function createLimits({ clock, settings, signal: person }: PipelineRun, lost: AbortSignal): Limits {
  const late = new AbortController();
  const cancel = clock.after(settings.requestTimeoutSeconds * 1_000, () => late.abort());
  const signal = AbortSignal.any([late.signal, lost, ...(person === undefined ? [] : [person])]);
  const ended = Promise.withResolvers<undefined>();
  const onAbort = (): void => ended.resolve(undefined);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  return {
    signal,
    lost,
    isLate: () => late.signal.aborted,
    ended: ended.promise,
    letGo: () => {
      cancel();
      signal.removeEventListener("abort", onAbort);
    },
  };
}

function endedBy({ settings, signal }: PipelineRun, { lost, isLate }: Limits): Asked {
  if (lost.aborted) return { kind: "lost" };
  if (signal?.aborted === true || !isLate()) return { kind: "stopped" };
  const sentence = `the model did not answer within ${settings.requestTimeoutSeconds} seconds`;
  return { kind: "failed", failure: { errorClass: "transient", sentence } };
}
