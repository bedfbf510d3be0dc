import { terminalSafeLine } from "@caliban/common";
import type { ClassifiedError } from "../../run/classify-error.ts";
import { retryAtMs } from "../../run/retry-time.ts";
import type { FailedOutcome } from "../../store/pipeline-store.ts";
import { redactText } from "../transcript/redact-text.ts";
import { endRun, type PipelineRun } from "./pipeline-run.ts";

/** After this many consecutive failures with external causes, nothing more is sent. */
const MAX_FAILURES_IN_A_ROW = 3;

/** What a failure means for the job, and for the run: an external cause ends the run before it uses up attempts. */
export async function recordFailure(
  run: PipelineRun,
  { errorClass, retryAfterMs, ...failure }: ClassifiedError,
  failuresBefore: number,
): Promise<FailedOutcome> {
  const message = await safeMessage(failure.message);
  const at = retryAtMs(run.settings, { nowMs: run.clock.nowMs(), failuresBefore, retryAfterMs });
  if (errorClass === "setup") {
    endRun(run, { outcome: "failed", reason: message, reasonCode: "SETUP" });
    return { kind: "released" };
  }
  if (errorClass !== "transient") {
    run.tally.failuresInARow = 0;
    return { kind: "failed", errorClass, message, retryAtMs: at };
  }
  run.tally.failuresInARow += 1;
  if (run.tally.failuresInARow >= MAX_FAILURES_IN_A_ROW) {
    const reason = `${run.tally.failuresInARow} requests in a row failed, most recently: ${message.replace(/\.$/, "")}; retrying later`;
    endRun(run, { outcome: "failed", reason, reasonCode: "UNAVAILABLE" });
  }
  return { kind: "postponed", errorClass, message, retryAtMs: at };
}

const MAX_MESSAGE_CHARS = 300;

/** A message that can be stored and shown, although a provider may have echoed anything. Redacted before it is shortened. */
export async function safeMessage(text: string): Promise<string> {
  const line = terminalSafeLine((await redactText(text)).text);
  return line.length > MAX_MESSAGE_CHARS
    ? `${line.slice(0, MAX_MESSAGE_CHARS - 1).toWellFormed()}…`
    : line;
}
