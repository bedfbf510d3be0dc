import { spawnSync } from "node:child_process";
import { changeOf, type Measurement, median } from "./measurement.ts";

/** A process to time from start to exit. */
export interface TimedCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The same command of the other checkout. */
  readonly previousArgs?: readonly string[] | undefined;
  /** Written to its stdin in a round; empty if left out. */
  readonly input?: ((round: number) => string) | undefined;
}

export interface InterleaveInput {
  readonly commands: readonly TimedCommand[];
  readonly rounds: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs the commands in turn, round after round, and compares each with the first one. A busy machine slows all of them
 * down, so their ratios stay the same.
 */
export function interleaveCommands(input: InterleaveInput): readonly Measurement[] {
  const { commands, rounds } = input;
  const times = Array.from({ length: rounds + 1 }, (_, round) =>
    commands.map((command) => timeCommand(command, input, round)),
  ).slice(1); // The first round fills the caches.
  return commands.map(({ name, previousArgs }, index) => {
    const ms = times.map((round) => round[index]?.ms ?? 0);
    const previousMs = times.map((round) => round[index]?.previousMs ?? 0);
    return {
      name,
      value: median(ms),
      unit: "ms",
      ratio: median(ms.map((each, round) => each / (times[round]?.[0]?.ms ?? 1))),
      change: previousArgs && changeOf(ms, previousMs),
    };
  });
}

interface CommandTime {
  readonly ms: number;
  readonly previousMs: number;
}

function timeCommand(
  { name, command, args, previousArgs = args, input }: TimedCommand,
  { cwd, env }: InterleaveInput,
  round: number,
): CommandTime {
  const time = (given: readonly string[]): number => {
    const started = performance.now();
    const { status } = spawnSync(command, given, {
      cwd,
      env,
      input: input?.(round),
      stdio: [input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
    });
    if (status !== 0) {
      throw new Error(`${name} (${given[0]}) failed with ${status}; run \`pnpm build\` first`);
    }
    return performance.now() - started;
  };
  if (previousArgs === args) return { ms: time(args), previousMs: 0 };
  // The order alternates, because the first of two similar processes warms up the disk cache.
  if (round % 2 === 0) return { previousMs: time(previousArgs), ms: time(args) };
  return { ms: time(args), previousMs: time(previousArgs) };
}

const ROUNDS = 60;

/** Returns the median times of several jobs that run in turn, after a few rounds to warm up. */
export async function interleaveJobs(
  jobs: readonly (() => Promise<unknown>)[],
  rounds = ROUNDS,
): Promise<readonly number[]> {
  const times = jobs.map((): number[] => []);
  for (let round = -5; round < rounds; round++) {
    for (const [index, job] of jobs.entries()) {
      const started = performance.now();
      await job();
      if (round >= 0) times[index]?.push(performance.now() - started);
    }
  }
  return times.map(median);
}
