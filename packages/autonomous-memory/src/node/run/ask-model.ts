import { estimateTokens } from "@caliban/common";
import { type ClassifiedError, classifyError } from "../../run/classify-error.ts";
import type { Completion, CompletionRequest } from "../../model/completion.ts";
import { credibleUsage } from "../../run/usage.ts";
import { isPipelineError } from "../../run/errors.ts";
import type { Spending } from "../../store/pipeline-store.ts";
import { endRun, type PipelineRun } from "./pipeline-run.ts";

/** The result of one request. */
export type ModelReply = { readonly kind: "answered"; readonly completion: Completion } | NoReply;

/** Why there is no answer. */
export type NoReply =
  | { readonly kind: "failed"; readonly failure: ClassifiedError }
  /** The user stopped the run, or the budget is used up. */
  | { readonly kind: "stopped" }
  /** The claim was lost. */
  | { readonly kind: "lost" };

export type ModelRequest = Omit<CompletionRequest, "signal">;

/** Sends one request within the time limit and the budget. Its cost is recorded before it is sent: a crash cannot hide it. */
export async function askModel(
  run: PipelineRun,
  request: ModelRequest,
  lost: AbortSignal,
): Promise<ModelReply> {
  const isLocal = run.model.isLocal?.(request.role) === true;
  const estimate = isLocal ? 0 : estimateTokens(request.system) + estimateTokens(request.input);
  if (!isLocal && isOverBudget(run, estimate)) return { kind: "stopped" };
  if (!isLocal) spend(run, { requests: 1, inputTokens: estimate, outputTokens: 0 });
  const limit = startTimeLimit(run, lost);
  try {
    const completion = await Promise.race([
      run.model.complete({ ...request, signal: limit.signal }),
      limit.reached,
    ]);
    if (completion === undefined) return abortedReply(run, limit);
    if (!isLocal) correctEstimate(run, estimate, completion);
    return { kind: "answered", completion };
  } catch (error) {
    if (limit.signal.aborted) return abortedReply(run, limit);
    const failure = classifyError(error);
    if (!isLocal) correctFailedEstimate(run, estimate, { error, failure });
    return { kind: "failed", failure };
  } finally {
    limit.stop();
  }
}

/** Classifies an answer that cannot be used. A truncated one may be complete when there is less to say. */
export function unusableAnswer(
  { finishReason }: Pick<Completion, "finishReason">,
  message: string,
): Extract<NoReply, { kind: "failed" }> {
  if (finishReason === "length")
    return failedReply("overflow", "the answer exceeded the output limit");
  if (finishReason === "refusal") return failedReply("permanent", "the model refused to answer");
  return failedReply("permanent", message);
}

function failedReply(
  errorClass: ClassifiedError["errorClass"],
  message: string,
): Extract<NoReply, { kind: "failed" }> {
  return { kind: "failed", failure: { errorClass, message } };
}

/** Whether a request would exceed the daily budget; if so, the run ends. */
function isOverBudget(run: PipelineRun, estimate: number): boolean {
  const { dailyTokenBudget } = run.settings;
  if (dailyTokenBudget === 0) return false;
  const spent = run.store.ledger.spentTokens(run.clock.nowMs());
  if (spent + estimate <= dailyTokenBudget) return false;
  const [budget, used] = [dailyTokenBudget, spent].map((count) => count.toLocaleString("en-US"));
  const reason = `the daily budget of ${budget} tokens is used up (${used} spent since 00:00 UTC); it continues tomorrow, or with a larger memories.daily_token_budget`;
  const isFirst = run.tally.requests === 0;
  endRun(run, { outcome: isFirst ? "skipped" : "stopped", reason, reasonCode: "BUDGET" });
  return true;
}

function correctEstimate(run: PipelineRun, estimate: number, { text, usage }: Completion): void {
  const estimated = { inputTokens: estimate, outputTokens: estimateTokens(text) };
  const { inputTokens, outputTokens } = credibleUsage(usage, estimated);
  spend(run, { requests: 0, inputTokens: inputTokens - estimate, outputTokens });
}

/** A request that got no answer is free; one that failed after an answer is not. */
function correctFailedEstimate(
  run: PipelineRun,
  estimate: number,
  { error, failure }: { readonly error: unknown; readonly failure: ClassifiedError },
): void {
  const usage = isPipelineError(error) ? error.usage : undefined;
  if (usage !== undefined) return correctEstimate(run, estimate, { text: "", usage });
  if (failure.errorClass === "permanent") return;
  spend(run, { requests: 0, inputTokens: -estimate, outputTokens: 0 });
}

function spend({ store, tally, runId, clock, onEvent }: PipelineRun, spent: Spending): void {
  store.ledger.spend(runId, spent, clock.nowMs());
  tally.requests += spent.requests;
  tally.inputTokens += spent.inputTokens;
  tally.outputTokens += spent.outputTokens;
  const { requests, inputTokens, outputTokens } = tally;
  onEvent?.({ type: "spent", requests, tokens: inputTokens + outputTokens });
}

interface TimeLimit {
  /** Aborted by the timeout, the user, or the loss of the claim. */
  readonly signal: AbortSignal;
  readonly lost: AbortSignal;
  readonly isTimeout: () => boolean;
  /** Resolves when the signal is aborted, because a model function may ignore the signal. */
  readonly reached: Promise<undefined>;
  readonly stop: () => void;
}

function startTimeLimit(
  { clock, settings, signal: user }: PipelineRun,
  lost: AbortSignal,
): TimeLimit {
  const timeout = new AbortController();
  const cancel = clock.after(settings.requestTimeoutSeconds * 1_000, () => timeout.abort());
  const signal = AbortSignal.any([timeout.signal, lost, ...(user === undefined ? [] : [user])]);
  const reached = Promise.withResolvers<undefined>();
  const onAbort = (): void => reached.resolve(undefined);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  return {
    signal,
    lost,
    isTimeout: () => timeout.signal.aborted,
    reached: reached.promise,
    stop: () => {
      cancel();
      signal.removeEventListener("abort", onAbort);
    },
  };
}

function abortedReply({ settings, signal }: PipelineRun, { lost, isTimeout }: TimeLimit): NoReply {
  if (lost.aborted) return { kind: "lost" };
  if (signal?.aborted === true || !isTimeout()) return { kind: "stopped" };
  const message = `the model did not answer within ${settings.requestTimeoutSeconds} seconds`;
  return failedReply("transient", message);
}
