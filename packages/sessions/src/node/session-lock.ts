import { hasCode, withLock } from "@caliban/common/node";

/** A lock that is held until it is released or its process ends. */
export interface SessionLock {
  readonly release: () => Promise<void>;
}

const LOCK_TIMEOUT_MS = 200;

/** Locks a session file for as long as this process uses it; `undefined` when another process has the lock. */
export async function lockSession(path: string): Promise<SessionLock | undefined> {
  const acquired = Promise.withResolvers<boolean>();
  const done = Promise.withResolvers<void>();
  // A process may hold a session for hours, so waiting is pointless. A dead holder is replaced immediately.
  const timing = { timeoutMs: LOCK_TIMEOUT_MS };
  const holding = withLock({ path: `${path}.lock`, timing }, async () => {
    acquired.resolve(true);
    await done.promise;
  }).catch((error: unknown) => {
    if (hasCode(error, "ELOCKED")) acquired.resolve(false);
    else acquired.reject(error);
  });
  if (!(await acquired.promise)) return undefined;
  return {
    release: async () => {
      done.resolve();
      await holding;
    },
  };
}
