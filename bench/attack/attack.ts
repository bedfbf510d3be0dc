import type { Surface } from "./surface.ts";
import { SURFACES } from "./surfaces.ts";

const MAX_SHOWN = 20;

/** Runs the attack corpus. Any attempt that succeeds fails the run. */
export async function benchAttack(): Promise<readonly string[]> {
  const results = [];
  // One after the other: each starts servers and creates files of its own.
  for (const surface of SURFACES) results.push(await run(surface));
  const rows = results.map(({ name, attempts, succeeded, skipped }) =>
    skipped === undefined
      ? [name, String(attempts), String(succeeded.length)]
      : [name, "skipped", "-"],
  );
  const total = [
    "all",
    String(sum(results.map(({ attempts }) => attempts))),
    String(sum(results.map(({ succeeded }) => succeeded.length))),
  ];
  const broken = results.filter(({ succeeded }) => succeeded.length > 0);
  if (broken.length > 0) process.exitCode = 1;
  return [
    ...renderTable([["surface", "attempts", "attacker succeeded"], ...rows, total]),
    ...results.flatMap(renderSkipped),
    ...broken.flatMap(renderSucceeded),
  ];
}

interface SurfaceResult {
  readonly name: string;
  readonly attempts: number;
  readonly succeeded: readonly string[];
  readonly skipped?: string;
}

async function run({ name, attack }: Surface): Promise<SurfaceResult> {
  const attempts = await attack();
  if ("skipped" in attempts) return { name, attempts: 0, succeeded: [], ...attempts };
  const succeeded = attempts.filter((attempt) => attempt.succeeded).map((attempt) => attempt.name);
  return { name, attempts: attempts.length, succeeded };
}

function renderSkipped({ name, skipped }: SurfaceResult): readonly string[] {
  return skipped === undefined ? [] : ["", `  ${name}: skipped: ${skipped}`];
}

function renderSucceeded({ name, succeeded }: SurfaceResult): readonly string[] {
  const shown = succeeded.slice(0, MAX_SHOWN).map((attempt) => `    ${JSON.stringify(attempt)}`);
  const left = succeeded.length - shown.length;
  return [
    "",
    `  ${name}: these succeeded`,
    ...shown,
    ...(left > 0 ? [`    and ${left} more`] : []),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function renderTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map(([name = "", ...numbers]) =>
    [
      `  ${name.padEnd(widths[0] ?? 0)}`,
      ...numbers.map((number, at) => number.padStart(widths[at + 1] ?? 0)),
    ].join("  "),
  );
}
