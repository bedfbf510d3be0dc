import { dueQuery } from "../../store/due-query.ts";
import type { ClaimedSessions, DueQuery } from "../../store/pipeline-store.ts";
import { extractSession, type SessionEnd } from "./extract-session.ts";
import { hasEnded, newLease, type PipelineRun } from "./pipeline-parts.ts";

/** Which sessions may be read at this moment. */
function dueNow({ project, sources, clock, settings, running, model }: PipelineRun): DueQuery {
  const names = sources.map(({ name }) => name);
  const { extractor } = model;
  return dueQuery({ project, sources: names, nowMs: clock.nowMs(), running, extractor, settings });
}

/** Reads what is due, a few sessions at a time and each by one worker, up to the quota of one start. */
export async function extractSessions(run: PipelineRun): Promise<void> {
  const { store, settings, onEvent } = run;
  const total = Math.min(store.extractions.count(dueNow(run)).due, settings.maxRolloutsPerStartup);
  if (total === 0) return;
  onEvent?.({ type: "planned", total });
  const quota = { left: settings.maxRolloutsPerStartup, done: 0 };
  const report = (threadId: string, end: SessionEnd): void => {
    quota.done += 1;
    const { outcome, sentence } = end;
    // Another process may have left more than was counted.
    const known = Math.max(total, quota.done);
    onEvent?.({ type: "session-end", threadId, outcome, sentence, done: quota.done, total: known });
  };
  const workers = Math.min(settings.stage1Concurrency, total);
  const untried = { quota, report, which: "untried" } as const;
  await Promise.all(Array.from({ length: workers }, () => work(run, untried)));
  // One of these may end the process: alone, so that it takes no others with it.
  await work(run, { quota, report, which: "tried" });
}

interface Work {
  readonly quota: { left: number };
  readonly report: (threadId: string, end: SessionEnd) => void;
  readonly which: ClaimedSessions;
}

/** A session is claimed when there is somebody free to read it, so that no lease runs while it waits. */
async function work(run: PipelineRun, { quota, report, which }: Work): Promise<void> {
  while (quota.left > 0 && !hasEnded(run)) {
    const lease = newLease(run, run.settings.stage1LeaseSeconds);
    const claim = run.store.extractions.claim(dueNow(run), lease, which);
    if (claim === undefined) return;
    quota.left -= 1;
    // oxlint-disable-next-line no-await-in-loop -- a worker does one thing at a time
    const end = await extractSession(run, claim);
    if (end !== undefined) report(claim.threadId, end);
  }
}
