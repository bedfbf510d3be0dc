/**
 * Lets callers share one run of something expensive: each gets a run that began after its call, because one that has begun
 * may have missed what the caller just changed. At most one runs at a time.
 */
export function shareNext<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const start = (): Promise<Result> => {
    const started = run().finally(() => {
      if (running === started) running = undefined;
    });
    running = started;
    return started;
  };
  const afterRunning = async (current: Promise<Result>): Promise<Result> => {
    await current.catch(() => undefined);
    next = undefined;
    return await start();
  };
  return async () => {
    if (next !== undefined) return await next;
    if (running === undefined) return await start();
    next = afterRunning(running);
    return await next;
  };
}
