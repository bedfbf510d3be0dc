import { hasCode, withLock } from "@caliban/common/node";

/** A lock that is held until it is released, or until its process ends. */
export interface SessionLock {
  readonly release: () => Promise<void>;
}

const PATIENCE_MS = 200;

/** Takes the lock of a session file for as long as the process writes it; `undefined` when another process has it. */
export async function lockSession(path: string): Promise<SessionLock | undefined> {
  const taken = Promise.withResolvers<boolean>();
  const done = Promise.withResolvers<void>();
  // Who goes on with a session does so for hours, so there is no waiting for it; a dead holder is replaced at once.
  const timing = { timeoutMs: PATIENCE_MS };
  const holding = withLock({ path: `${path}.lock`, timing }, async () => {
    taken.resolve(true);
    await done.promise;
  }).catch((error: unknown) => {
    if (hasCode(error, "ELOCKED")) taken.resolve(false);
    else taken.reject(error);
  });
  if (!(await taken.promise)) return undefined;
  return {
    release: async () => {
      done.resolve();
      await holding;
    },
  };
}
