import {
  type PipelineEvent,
  type ProjectRun,
  renderFailure,
  renderRun,
} from "@caliban/autonomous-memory";
import { spellCommands, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT, type ExitCode, SIGNAL_EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { type PipelineJob, planJob } from "../../../pipeline/plan-job.ts";
import { startWorker } from "../../../pipeline/start-worker.ts";
import { UsageError } from "../../../usage-error.ts";
import { learnedCommands, openLearned, withStore } from "./open-learned.ts";

/** `caliban memory rebuild`: consolidates everything learned again, with the next conversation or now. */
export async function rebuildLearned(invocation: Invocation): Promise<CommandResult> {
  const { options, host, json } = invocation;
  const isNow = options["now"] === true;
  const withRecent = options["recent"] === true;
  if (withRecent && !isNow) throw new UsageError("--recent requires --now");
  const { project, location, warnings, off } = await openLearned(invocation, { forWriting: true });
  if (off !== undefined) throw new UsageError(`learning from past sessions is off: ${off.message}`);
  const { readCurrentStatus } = await import("@caliban/autonomous-memory/node");
  const hasMemory = (): boolean => readCurrentStatus(location.directory) !== undefined;
  if (!isNow) {
    await withStore(location, ({ admin }) => admin.enqueue(location.project, host.now()), {
      create: true,
    });
    const text = `${hasMemory() ? ENQUEUED : ENQUEUED_FIRST}: ${host.command("memory rebuild --now")}\n`;
    const stdout = json ? `${terminalSafeJson({ enqueued: true })}\n` : text;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  }
  const job = planJob({ project, trigger: "now", isRebuild: true, withRecent });
  const { run, exitCode, notices } = await runAndWait(invocation, job);
  const commands = learnedCommands(host.command);
  const rendering = { settings: job.settings, commands, hasMemory: hasMemory() };
  const failure = renderFailure(run.report);
  return {
    stdout: json ? toJson(run) : renderRun(run, rendering),
    stderr: [...warnings, ...notices, ...(failure === undefined ? [] : [failure])],
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

interface Progress {
  readonly show: (event: PipelineEvent) => void;
  /** Removes the progress line. */
  readonly end: () => void;
}

const TICK_MS = 500;

/** The progress of a run: one changing line on a terminal, otherwise one line per session. */
function createProgress(host: Pick<Host, "progressLine" | "report" | "now">): Progress {
  const replace = host.progressLine();
  const startedMs = host.now();
  let [done, total, tokens] = [0, 0, 0];
  let isConsolidating = false;
  const render = (): string => {
    const what = isConsolidating ? "updating memory" : `${done} of ${total} sessions`;
    const seconds = Math.round((host.now() - startedMs) / 1000);
    return `${what} · ${tokens.toLocaleString("en-US")} tokens · ${seconds} s`;
  };
  // The time advances while a model works.
  const ticking = replace && setInterval(() => replace(render()), TICK_MS).unref();
  const print = (text: string): void => host.report(terminalSafeLine(text));
  return {
    show: (event) => {
      if (event.type === "planned") ({ total } = event);
      if (event.type === "session-end") ({ done, total } = event);
      if (event.type === "spent") ({ tokens } = event);
      if (event.type === "consolidation-start") isConsolidating = true;
      if (replace !== undefined) return replace(render());
      if (event.type === "notice" || event.type === "spent") return;
      if (event.type === "session-end" && event.message !== undefined)
        print(`${event.threadId}: ${event.message}`);
      print(render());
    },
    end: () => {
      clearInterval(ticking);
      replace?.("");
    },
  };
}

function isSuccess({ report: { outcome }, counts }: ProjectRun): boolean {
  // Every waiting session was tried, so the ones that wait now could not be read.
  return outcome === "done" || (outcome === "nothing-new" && (counts?.waiting ?? 0) === 0);
}

/** The run under the keys that other programs know; notices are plain texts. */
function toJson({ report, ...run }: ProjectRun): string {
  const notices = report.notices.map(({ message }) => message);
  const known = { ...report, notices, reasonCode: undefined };
  return `${terminalSafeJson({ report: known, ...run })}\n`;
}
