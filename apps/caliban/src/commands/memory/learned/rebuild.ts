import type { PipelineEvent, PipelineReport } from "@caliban/autonomous-memory";
import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../../exit-code.ts";
import type { JobEnd, PipelineJob } from "../../../pipeline/pipeline-job.ts";
import { planJob } from "../../../pipeline/plan-job.ts";
import { sessions } from "../../../pipeline/start-lines.ts";
import { startWorker } from "../../../pipeline/start-worker.ts";
import { UsageError } from "../../../usage-error.ts";
import { openPipeline, refuseWhereOff, withStore } from "./open-pipeline.ts";
import { createProgress } from "./progress.ts";
import { readCurrentStatus } from "@caliban/autonomous-memory/node";
import { leftOut, spentWords } from "./render-stats.ts";

/** `caliban memory rebuild`: everything learned is gone through again, at the next start or now. */
export async function rebuildLearned(invocation: Invocation): Promise<CommandResult> {
  const { options, host } = invocation;
  const isNow = options["now"] === true;
  const withRecent = options["recent"] === true;
  if (withRecent && !isNow) throw new UsageError("--recent goes with --now");
  const pipeline = await openPipeline(invocation, { forWriting: true });
  refuseWhereOff(pipeline);
  const { project, place, warnings } = pipeline;
  if (!isNow) {
    const { project } = place;
    await withStore(place, ({ admin }) => admin.enqueue(project, host.now()), { isMade: true });
    const words = (await readCurrentStatus(place.directory)) === undefined ? FIRST : ENQUEUED;
    const stdout = invocation.json ? `${terminalSafeJson({ enqueued: true })}\n` : words;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  }
  const job = planJob({ project, trigger: "now", isRebuilt: true, withRecent });
  const { end, exitCode, notices } = await runAndWait(invocation, job);
  const hasMemory = (await readCurrentStatus(place.directory)) !== undefined;
  return {
    stdout: invocation.json ? `${terminalSafeJson(end)}\n` : renderEnd(end, job, hasMemory),
    stderr: warnings + notices.map(said).join("") + failure(end.report),
    exitCode,
  };
}

const ENQUEUED =
  "what was learned is gone through again with the next conversation on a terminal; --now does it now\n";
const FIRST =
  "nothing was learned here yet; past sessions are read with the next conversation on a terminal, or now with --now\n";

interface Waited {
  readonly end: JobEnd;
  readonly exitCode: ExitCode;
  /** What a person should hear. */
  readonly notices: readonly string[];
}

/** In a thread, so that whoever waits can still stop it. */
async function runAndWait({ host }: Invocation, job: PipelineJob): Promise<Waited> {
  const progress = createProgress(host);
  const notices = new Set<string>();
  const onEvent = (event: PipelineEvent): void => {
    if (event.type === "notice") notices.add(event.sentence);
    progress.show(event);
  };
  const worker = startWorker({ job, onEvent, isAwaited: true });
  let interrupted: ExitCode | undefined;
  const release = host.onInterrupt((reason) => {
    interrupted = reason === "output-lost" ? EXIT.failed : SIGNAL_EXIT[reason];
    void worker.stop();
  });
  try {
    const end = await worker.end;
    const exitCode = interrupted ?? (isGood(end) ? EXIT.done : EXIT.failed);
    return { end, exitCode, notices: [...notices] };
  } finally {
    release();
    progress.end();
  }
}

function isGood({ report: { outcome }, counts }: JobEnd): boolean {
  // All that waited was tried, so what waits now could not be read.
  return outcome === "done" || (outcome === "nothing-new" && (counts?.waiting ?? 0) === 0);
}

function renderEnd(
  { report, counts }: JobEnd,
  { settings }: PipelineJob,
  hasMemory: boolean,
): string {
  const left =
    counts === undefined ? [] : notRead(counts, settings).filter(([number]) => number > 0);
  const unread = Math.max(report.sessionsFailed, counts?.waiting ?? 0);
  const lines = [
    ...doneWords(report, hasMemory),
    ...unreadWords(report, unread),
    `${spentWords(report)}, ${(report.elapsedMs / 1000).toFixed(1)} s`,
    ...(left.length === 0
      ? []
      : [
          `left out: ${left.map(([number, words]) => `${number} ${words}`).join(", ")}${hint(left)}`,
        ]),
  ];
  return lines.map((line) => `${terminalSafeLine(line)}\n`).join("");
}

/** Also what was to be read, and what another process reads. */
function notRead(
  counts: NonNullable<JobEnd["counts"]>,
  settings: PipelineJob["settings"],
): ReturnType<typeof leftOut> {
  return [
    [counts.due, "still to be read"],
    [counts.running, "being read by another process"],
    ...leftOut(counts, settings),
  ];
}

/** A run that failed says it as its reason. */
function unreadWords({ outcome }: PipelineReport, unread: number): readonly string[] {
  if (unread === 0 || outcome === "failed") return [];
  return [`${sessions(unread)} could not be read (caliban memory stats)`];
}

function doneWords(
  { outcome, sessionsRead, generation }: PipelineReport,
  hasMemory: boolean,
): readonly string[] {
  const stays = hasMemory ? "memory stays as it is" : "nothing is in memory yet";
  if (outcome === "nothing-new") return [`nothing new to learn; ${stays}`];
  if (outcome !== "done") return [];
  const made =
    generation === undefined
      ? stays
      : `generation ${generation} is what new sessions see (caliban memory view)`;
  const read =
    sessionsRead === 0 ? "went through what was learned" : `read ${sessions(sessionsRead)}`;
  return [`${read}; ${made}`];
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
  return said(sentence);
}

function said(sentence: string): string {
  return `caliban: ${terminalSafeLine(sentence)}\n`;
}

function hint(left: readonly (readonly [number, string])[]): string {
  const words = left.map(([, text]) => text).join(" ");
  const hasFailed = /given up|tried again/.test(words);
  const hints = [
    ...(words.includes("used within") ? [hasFailed ? RECENT : "--recent reads those, too"] : []),
    ...(hasFailed ? ["caliban memory retry gives what failed new attempts"] : []),
  ];
  return hints.length === 0 ? "" : ` (${hints.join("; ")})`;
}

const RECENT = "--recent reads those of the last hours";
