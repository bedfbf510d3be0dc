/** Runs an action for several callers at once: each gets a result of a run that began after it asked. */
export function latestResult<Result>(action: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const start = (): Promise<Result> => {
    const run = action().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };
  const startNext = async (before: Promise<Result>): Promise<Result> => {
    await before.catch(() => undefined);
    next = undefined;
    return await start();
  };
  return async () => {
    if (running === undefined) return await start();
    return await (next ??= startNext(running));
  };
}
