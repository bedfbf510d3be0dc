import { spawnSync } from "node:child_process";
import { programOf } from "../startup.ts";
import { root, workspaceNode } from "../../scripts/workspace.mjs";
import { median } from "../measurement.ts";
import { watchProcess } from "../first-request/watch-process.ts";

const ROUNDS = 7;

/** The median of the ratios between a command of caliban and a Node that does nothing, run in turn. */
export function ratioToNode(home: string, args: readonly string[]): number {
  const time = (given: readonly string[]): number => {
    const started = performance.now();
    const { status } = spawnSync(workspaceNode, given, { ...projectIn(home), stdio: "ignore" });
    if (status !== 0) throw new Error(`${given.join(" ")} failed with ${status}`);
    return performance.now() - started;
  };
  const command = [programOf(root), ...args];
  // The first fills caches.
  time(command);
  return median(Array.from({ length: ROUNDS }, () => time(command) / time(["-e", "0"])));
}

export interface ProcessCost {
  readonly ms: number;
  readonly megabytes: number;
}

/** The median time and the highest memory use of a command. */
export async function costOf(home: string, args: readonly string[]): Promise<ProcessCost> {
  const costs: ProcessCost[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const { peakMegabytes } = await watchProcess(
      workspaceNode,
      [programOf(root), ...args],
      projectIn(home),
    );
    costs.push({ ms: performance.now() - started, megabytes: peakMegabytes });
  }
  return {
    ms: median(costs.map(({ ms }) => ms)),
    megabytes: Math.max(...costs.map(({ megabytes }) => megabytes)),
  };
}

function projectIn(home: string): { readonly cwd: string; readonly env: Record<string, string> } {
  return { cwd: `${home}/app`, env: { HOME: home } };
}
