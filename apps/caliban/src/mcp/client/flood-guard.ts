/** Counts what comes, and tells when it is too much. */
export type FloodGuard = () => boolean;

/** True from the moment on at which more than so many came within so many milliseconds. */
export function createFloodGuard(input: {
  readonly most: number;
  readonly withinMs: number;
  readonly now: () => number;
}): FloodGuard {
  const { most, withinMs, now } = input;
  let [beganMs, count] = [now(), 0];
  return () => {
    if (now() - beganMs >= withinMs) [beganMs, count] = [now(), 0];
    count += 1;
    return count > most;
  };
}
