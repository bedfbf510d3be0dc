import { median } from "./median.ts";

const ROUNDS = 60;

/** Medians of several jobs that take turns, after a few rounds to warm up. */
export async function takeTurns(
  jobs: readonly (() => Promise<unknown>)[],
  rounds = ROUNDS,
): Promise<readonly number[]> {
  const times = jobs.map((): number[] => []);
  for (let round = -5; round < rounds; round++) {
    for (const [index, job] of jobs.entries()) {
      const started = performance.now();
      await job(); // oxlint-disable-line no-await-in-loop -- taking turns is the point
      if (round >= 0) times[index]?.push(performance.now() - started);
    }
  }
  return times.map(median);
}
