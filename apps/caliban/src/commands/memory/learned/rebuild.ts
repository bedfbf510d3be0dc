import type { DueCounts, PipelineEvent, PipelineReport } from "@caliban/autonomous-memory";
import type { ProjectRun } from "@caliban/autonomous-memory/node";
import {
  spellCommands,
  type SpellCommand,
  terminalSafeJson,
  terminalSafeLine,
} from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../../exit-code.ts";
import type { PipelineJob } from "../../../pipeline/pipeline-job.ts";
import { planJob } from "../../../pipeline/plan-job.ts";
import { formatSessions } from "../../../pipeline/start-lines.ts";
import { startWorker } from "../../../pipeline/start-worker.ts";
import { UsageError } from "../../../usage-error.ts";
import { openLearned, requireLearning, withStore } from "./open-learned.ts";
import { createProgress } from "./progress.ts";
import { formatSpending, type SessionGroup, skippedSessions } from "./render-stats.ts";

/** `caliban memory rebuild`: consolidates everything learned again, with the next conversation or now. */
export async function rebuildLearned(invocation: Invocation): Promise<CommandResult> {
  const { options, host } = invocation;
  const isNow = options["now"] === true;
  const withRecent = options["recent"] === true;
  if (withRecent && !isNow) throw new UsageError("--recent requires --now");
  const learned = await openLearned(invocation, { forWriting: true });
  requireLearning(learned);
  const { project, location, warnings } = learned;
  const { readCurrentStatus } = await import("@caliban/autonomous-memory/node");
  const hasMemory = (): boolean => readCurrentStatus(location.directory) !== undefined;
  if (!isNow) {
    await withStore(location, ({ admin }) => admin.enqueue(location.project, host.now()), {
      create: true,
    });
    const text = `${hasMemory() ? ENQUEUED : ENQUEUED_FIRST}: ${host.command("memory rebuild --now")}\n`;
    const stdout = invocation.json ? `${terminalSafeJson({ enqueued: true })}\n` : text;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  }
  const job = planJob({ project, trigger: "now", isRebuild: true, withRecent });
  const { run, exitCode, notices } = await runAndWait(invocation, job);
  return {
    stdout: invocation.json
      ? toJson(run)
      : renderRun(run, { ...job, hasMemory: hasMemory(), command: host.command }),
    stderr: [...warnings, ...notices, ...renderFailure(run.report)],
    exitCode,
  };
}

const ENQUEUED =
  "learned memory will be rebuilt when the next conversation starts on a terminal. To rebuild it now";
const ENQUEUED_FIRST =
  "nothing has been learned yet; past sessions will be read when the next conversation starts on a terminal. To read them now";

interface FinishedRun {
  readonly run: ProjectRun;
  readonly exitCode: ExitCode;
  readonly notices: readonly string[];
}

/** Runs in a thread, so that the user can interrupt it. */
async function runAndWait({ host }: Invocation, job: PipelineJob): Promise<FinishedRun> {
  const progress = createProgress(host);
  const notices = new Set<string>();
  const onEvent = (event: PipelineEvent): void => {
    if (event.type === "notice") notices.add(spellCommands(event.notice, host.command));
    progress.show(event);
  };
  const worker = startWorker({ job, onEvent, isAwaited: true });
  let interrupted: ExitCode | undefined;
  const release = host.onInterrupt((reason) => {
    interrupted = reason === "output-lost" ? EXIT.failed : SIGNAL_EXIT[reason];
    void worker.stop();
  });
  try {
    const run = await worker.end;
    const exitCode = interrupted ?? (isSuccess(run) ? EXIT.done : EXIT.failed);
    return { run, exitCode, notices: [...notices] };
  } finally {
    release();
    progress.end();
  }
}

function isSuccess({ report: { outcome }, counts }: ProjectRun): boolean {
  // Every waiting session was tried, so the ones that wait now could not be read.
  return outcome === "done" || (outcome === "nothing-new" && (counts?.waiting ?? 0) === 0);
}

/** Notices are plain texts in the output for other programs. */
function toJson({ report, ...run }: ProjectRun): string {
  const notices = report.notices.map(({ message }) => message);
  return `${terminalSafeJson({ report: { ...report, notices }, ...run })}\n`;
}

interface RunContext extends Pick<PipelineJob, "settings"> {
  readonly hasMemory: boolean;
  readonly command: SpellCommand;
}

function renderRun({ report, counts }: ProjectRun, context: RunContext): string {
  const { settings, command } = context;
  const skipped = counts === undefined ? [] : unreadSessions(counts, settings);
  const unread = Math.max(report.sessionsFailed, counts?.waiting ?? 0);
  const lines = [
    ...renderOutcome(report, context),
    // A failed run already gives this as its reason.
    ...(unread === 0 || report.outcome === "failed"
      ? []
      : [`${formatSessions(unread)} could not be read (${command("memory stats")})`]),
    `${formatSpending(report)}, ${(report.elapsedMs / 1000).toFixed(1)} s`,
    ...(skipped.length === 0 ? [] : [`not read: ${renderGroups(skipped, command)}`]),
  ];
  return lines.map((line) => `${terminalSafeLine(line)}\n`).join("");
}

function unreadSessions(
  counts: DueCounts,
  settings: PipelineJob["settings"],
): readonly SessionGroup[] {
  const groups: readonly SessionGroup[] = [
    { kind: "due", count: counts.due, label: "still to be read" },
    { kind: "running", count: counts.running, label: "being read by another process" },
    ...skippedSessions(counts, settings),
  ];
  return groups.filter(({ count }) => count > 0);
}

function renderGroups(groups: readonly SessionGroup[], command: SpellCommand): string {
  const list = groups.map(({ count, label }) => `${count} ${label}`).join(", ");
  const kinds = new Set(groups.map(({ kind }) => kind));
  const hints = [
    ...(kinds.has("recent") ? ["--recent includes recent sessions"] : []),
    ...(kinds.has("failed") || kinds.has("waiting")
      ? [`retry failed ones with: ${command("memory retry")}`]
      : []),
  ];
  return hints.length === 0 ? list : `${list} (${hints.join("; ")})`;
}

function renderOutcome(
  { outcome, sessionsRead, generation }: PipelineReport,
  { hasMemory, command }: RunContext,
): readonly string[] {
  const unchanged = hasMemory ? "memory is unchanged" : "memory is still empty";
  if (outcome === "nothing-new") return [`nothing new to learn; ${unchanged}`];
  if (outcome !== "done") return [];
  const result =
    generation === undefined
      ? unchanged
      : `new sessions use generation ${generation} (${command("memory view")})`;
  const read = sessionsRead === 0 ? "rebuilt memory" : `read ${formatSessions(sessionsRead)}`;
  return [`${read}; ${result}`];
}

const OUTCOMES: Partial<Record<PipelineReport["outcome"], string>> = {
  failed: "failed",
  stopped: "stopped",
  skipped: "skipped",
};

/** Why the run did not complete; empty when it did. */
function renderFailure({ outcome, reason, sessionsRead }: PipelineReport): readonly string[] {
  const name = OUTCOMES[outcome];
  if (name === undefined) return [];
  return [`${name} after ${formatSessions(sessionsRead)}: ${reason ?? "unknown reason"}`];
}
