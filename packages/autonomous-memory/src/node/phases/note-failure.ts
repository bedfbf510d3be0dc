import type { ClassifiedError } from "../../classify-error.ts";
import { retryAtMs } from "../../retry-time.ts";
import type { FailedOutcome } from "../../store/pipeline-store.ts";
import { safeSentence } from "./safe-sentence.ts";
import { endRun, type PipelineRun } from "./pipeline-parts.ts";

/** So many requests in a row may fail for reasons that lie outside before nothing more is asked. */
const MOST_FAILURES_IN_A_ROW = 3;

/** What a failure means for the job, and for the run: what is not the job's fault ends the run before it burns attempts. */
export async function noteFailure(
  run: PipelineRun,
  { errorClass, retryAfterMs, ...failure }: ClassifiedError,
  failuresBefore: number,
): Promise<FailedOutcome> {
  const sentence = await safeSentence(failure.sentence);
  const at = retryAtMs(run.settings, { nowMs: run.clock.nowMs(), failuresBefore, retryAfterMs });
  if (errorClass === "setup") {
    endRun(run, { outcome: "failed", reason: sentence });
    return { kind: "released" };
  }
  if (errorClass !== "transient") {
    run.tally.failuresInARow = 0;
    return { kind: "failed", errorClass, sentence, retryAtMs: at };
  }
  run.tally.failuresInARow += 1;
  if (run.tally.failuresInARow >= MOST_FAILURES_IN_A_ROW) {
    const reason = `${run.tally.failuresInARow} requests in a row failed, the last one because ${sentence.replace(/\.$/, "")}; it is tried again later`;
    endRun(run, { outcome: "failed", reason });
  }
  return { kind: "postponed", errorClass, sentence, retryAtMs: at };
}
