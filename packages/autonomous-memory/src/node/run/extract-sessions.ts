import { dueQuery } from "../../store/due-query.ts";
import type { AttemptFilter, DueQuery } from "../../store/pipeline-store.ts";
import { extractSession, type SessionEnd } from "./extract-session.ts";
import { hasEnded, newLease, type PipelineRun } from "./pipeline-run.ts";

/** Reads the due sessions, a few at a time, up to the quota of one run. */
export async function extractSessions(run: PipelineRun): Promise<void> {
  const { store, settings, onEvent } = run;
  const total = Math.min(store.extractions.count(dueNow(run)).due, settings.maxRolloutsPerStartup);
  if (total === 0) return;
  onEvent?.({ type: "planned", total });
  const quota = { left: settings.maxRolloutsPerStartup, done: 0 };
  const report = (threadId: string, end: SessionEnd): void => {
    quota.done += 1;
    const { outcome, message } = end;
    // Another process may have released more sessions than were counted.
    const known = Math.max(total, quota.done);
    onEvent?.({ type: "session-end", threadId, outcome, message, done: quota.done, total: known });
  };
  const workers = Math.min(settings.stage1Concurrency, total);
  const untried = { quota, report, filter: "untried" } as const;
  await Promise.all(Array.from({ length: workers }, () => work(run, untried)));
  // One of these may crash the process: they run alone, so that it takes no others with it.
  await work(run, { quota, report, filter: "tried" });
}

interface Work {
  readonly quota: { left: number };
  readonly report: (threadId: string, end: SessionEnd) => void;
  readonly filter: AttemptFilter;
}

/** Claims a session only when a worker is free to read it, so that no lease runs out while it waits. */
async function work(run: PipelineRun, { quota, report, filter }: Work): Promise<void> {
  while (quota.left > 0 && !hasEnded(run)) {
    const lease = newLease(run, run.settings.stage1LeaseSeconds);
    const claim = run.store.extractions.claim(dueNow(run), lease, filter);
    if (claim === undefined) return;
    quota.left -= 1;
    const end = await extractSession(run, claim);
    if (end !== undefined) report(claim.threadId, end);
  }
}

function dueNow({ project, sources, clock, settings, running, model }: PipelineRun): DueQuery {
  const names = sources.map(({ name }) => name);
  const { extractor } = model;
  return dueQuery({ project, sources: names, nowMs: clock.nowMs(), running, extractor, settings });
}
