import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root, workspaceNode } from "../scripts/workspace.mjs";
import { type Measurement, median } from "./measurement.ts";

const ROUNDS = 3;

/**
 * Runs a benchmark of two checkouts in turn, each with its own code, and compares their rows in order. Compares ratios
 * where a row has one, because a ratio depends less on what else the machine does.
 */
export async function compareCheckouts(
  name: string,
  other: string,
): Promise<readonly Measurement[]> {
  const runs: (readonly (readonly Measurement[])[])[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const previous = await runBenchmark(name, other);
    const current = await runBenchmark(name, root);
    if (current.length !== previous.length) {
      throw new Error(`${name} has ${current.length} rows, and ${previous.length} in ${other}`);
    }
    runs.push([previous, current]);
  }
  const valueOf = (side: number, row: number, key: "value" | "ratio"): number =>
    median(runs.map((run) => run[side]?.[row]?.[key] ?? Number.NaN));
  return (runs[0]?.[1] ?? []).map(({ name: label, unit, ratio }, row) => {
    const key = ratio === undefined ? "value" : "ratio";
    return {
      name: label,
      value: valueOf(1, row, "value"),
      unit,
      ratio: ratio === undefined ? undefined : valueOf(1, row, "ratio"),
      change: valueOf(1, row, key) / valueOf(0, row, key),
    };
  });
}

async function runBenchmark(name: string, checkout: string): Promise<readonly Measurement[]> {
  const args = ["--conditions=caliban:source", join(checkout, "bench/run.ts"), name];
  const { stdout } = await promisify(execFile)(workspaceNode, args, { cwd: checkout });
  return [...stdout.matchAll(ROW)].map(([, label = "", value, unit, ratio]) => ({
    name: label.trim(),
    value: Number(value),
    unit: unit as Measurement["unit"],
    ratio: ratio === undefined ? undefined : Number(ratio),
  }));
}

/** A row as run.ts prints it. */
const ROW = /^ {2}(.+?) +([\d.]+) (ms|MB|tokens)(?: +([\d.]+) ×)?/gm;
