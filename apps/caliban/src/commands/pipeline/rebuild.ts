import type { PipelineReport } from "@caliban/autonomous-memory";
import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../exit-code.ts";
import type { JobEnd, PipelineJob } from "../../pipeline/pipeline-job.ts";
import { planJob } from "../../pipeline/plan-job.ts";
import { sessions } from "../../pipeline/start-lines.ts";
import { startWorker } from "../../pipeline/start-worker.ts";
import { UsageError } from "../../usage-error.ts";
import { openPipeline, refuseWhereOff, withStore } from "./open-pipeline.ts";
import { createProgress } from "./progress.ts";
import { leftOut, spentWords } from "./render-stats.ts";

/** `caliban memory rebuild`: everything learned is gone through again, at the next start or now. */
export async function rebuildLearned(invocation: Invocation): Promise<CommandResult> {
  const { options, host } = invocation;
  const isNow = options["now"] === true;
  const withRecent = options["recent"] === true;
  if (withRecent && !isNow) throw new UsageError("--recent goes with --now");
  const pipeline = await openPipeline(invocation, { forWriting: true });
  refuseWhereOff(pipeline);
  const { session, place, warnings } = pipeline;
  if (!isNow) {
    const { project } = place;
    await withStore(place, ({ admin }) => admin.enqueue(project, host.now()), { isMade: true });
    const stdout = invocation.json ? `${terminalSafeJson({ enqueued: true })}\n` : ENQUEUED;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  }
  const job = planJob({ host, session, trigger: "now", isRebuilt: true, withRecent });
  const { end, exitCode } = await runAndWait(invocation, job);
  return {
    stdout: invocation.json ? `${terminalSafeJson(end)}\n` : renderEnd(end, job),
    stderr: warnings + notices(end.report) + failure(end.report),
    exitCode,
  };
}

const ENQUEUED =
  "what was learned is gone through again with the next conversation on a terminal; --now does it now\n";

/** In a thread, so that whoever waits can still stop it. */
async function runAndWait(
  { host }: Invocation,
  job: PipelineJob,
): Promise<{ readonly end: JobEnd; readonly exitCode: ExitCode }> {
  const progress = createProgress(host);
  const worker = startWorker({ job, onEvent: progress.show, isAwaited: true });
  let interrupted: ExitCode | undefined;
  const release = host.onInterrupt((reason) => {
    interrupted = reason === "output-lost" ? EXIT.failed : SIGNAL_EXIT[reason];
    void worker.stop();
  });
  try {
    const end = await worker.end;
    const isDone = end.report.outcome === "done" || end.report.outcome === "nothing-new";
    return { end, exitCode: interrupted ?? (isDone ? EXIT.done : EXIT.failed) };
  } finally {
    release();
    progress.end();
  }
}

function renderEnd({ report, counts }: JobEnd, { settings }: PipelineJob): string {
  const left =
    counts === undefined ? [] : leftOut(counts, settings).filter(([number]) => number > 0);
  const lines = [
    ...doneWords(report),
    `${spentWords(report)}, ${(report.elapsedMs / 1000).toFixed(1)} s`,
    ...(left.length === 0
      ? []
      : [
          `left out: ${left.map(([number, words]) => `${number} ${words}`).join(", ")}${hint(left)}`,
        ]),
  ];
  return lines.map((line) => `${terminalSafeLine(line)}\n`).join("");
}

function doneWords({ outcome, sessionsRead, generation }: PipelineReport): readonly string[] {
  if (outcome === "nothing-new") return ["nothing new to learn; memory stays as it is"];
  if (outcome !== "done") return [];
  const made =
    generation === undefined
      ? "memory stays as it is"
      : `generation ${generation} is what new sessions see (caliban memory view)`;
  return [`read ${sessions(sessionsRead)}; ${made}`];
}

const OUTCOMES: Partial<Record<PipelineReport["outcome"], string>> = {
  failed: "failed",
  stopped: "stopped",
  skipped: "not done",
};

/** Why it did not come to its end. */
function failure({ outcome, reason, sessionsRead }: PipelineReport): string {
  const word = OUTCOMES[outcome];
  if (word === undefined) return "";
  const sentence = `${word} after ${sessions(sessionsRead)}: ${reason ?? "no reason is known"}`;
  return `caliban: ${terminalSafeLine(sentence)}\n`;
}

function hint(left: readonly (readonly [number, string])[]): string {
  const words = left.map(([, text]) => text).join(" ");
  if (words.includes("used within")) return " (--recent reads those, too)";
  return words.includes("given up") ? " (caliban memory stats)" : "";
}

function notices(report: PipelineReport): string {
  return report.notices.map((sentence) => `caliban: ${terminalSafeLine(sentence)}\n`).join("");
}
