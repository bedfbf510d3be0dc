import { spawnSync } from "node:child_process";
import { median } from "./median.ts";
import type { Timing } from "./timing.ts";

/** A command to time, as a whole process. */
export interface TimedCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

export interface InterleaveInput {
  readonly commands: readonly TimedCommand[];
  readonly rounds: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the commands in turn, round after round: what slows the machine down slows them all, and the ratio stays. */
export function interleave({ commands, rounds, cwd, env }: InterleaveInput): readonly Timing[] {
  const times = Array.from({ length: rounds + 1 }, () =>
    commands.map((timed) => timeOnce(timed, { cwd, env })),
  ).slice(1); // The first round fills the caches.
  return commands.map(({ name }, index) => ({
    name,
    medianMs: median(times.map((round) => round[index] ?? 0)),
    ratio: median(times.map((round) => (round[index] ?? 0) / (round[0] ?? 1))),
  }));
}

function timeOnce(
  { name, command, args }: TimedCommand,
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): number {
  const started = performance.now();
  const { status } = spawnSync(command, args, { ...place, stdio: "ignore" });
  if (status !== 0) throw new Error(`${name} failed with ${status}; run \`pnpm build\` first`);
  return performance.now() - started;
}
