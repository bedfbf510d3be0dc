import { create, type BackendCases } from "./backend-fixtures.ts";

/** Cases about `watch`, for backends that have it. */
export const WATCH_CASES: BackendCases = {
  "reports a change by another instance to watchers until they stop": async (createBackend) => {
    const { backend, reopen } = await createBackend();
    if (backend.watch === undefined) return;
    const other = (await reopen?.()) ?? backend;
    const [stopped, remaining] = [createWaiter(), createWaiter()];
    const stop = await backend.watch(stopped.notify);
    const stopRemaining = await backend.watch(remaining.notify);
    try {
      await create(other, { first: "1" });
      await Promise.all([stopped.next(), remaining.next()]);
      await stop();
      const calls = stopped.calls();
      await create(other, { second: "2" });
      await remaining.next();
      if (stopped.calls() > calls) throw new Error("watch reports changes after it was stopped");
    } finally {
      await stopRemaining();
    }
  },
};

const LIMIT_MS = 10_000;

/** Counts calls, and waits for the next one that no one has waited for. */
function createWaiter(): {
  readonly notify: () => void;
  readonly calls: () => number;
  readonly next: () => Promise<void>;
} {
  let calls = 0;
  let seen = 0;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    calls += 1;
    wake?.();
  };
  const next = async (): Promise<void> => {
    const message = "watch did not report a change by another instance";
    const failure = new Error(message);
    await new Promise<void>((resolve, reject) => {
      if (calls > seen) return resolve();
      const timer = setTimeout(() => reject(failure), LIMIT_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    seen = calls;
  };
  return { notify, calls: () => calls, next };
}
