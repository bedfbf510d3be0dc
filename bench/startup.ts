import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executableName, hostTarget } from "../scripts/executable/targets.ts";
import { root, workspaceNode } from "../scripts/workspace.mjs";
import { writeFullMemory } from "../test/support/full-memory.ts";
import { interleaveCommands, type TimedCommand } from "./interleave.ts";
import type { Measurement } from "./measurement.ts";

const ROUNDS = 25;

/** The built program of a checkout. */
export function programOf(checkout: string): string {
  return join(checkout, "apps/caliban/dist/bin.js");
}

/**
 * Compares whole processes with a Node process that does nothing, to show how long users wait for caliban itself.
 * @param other a checkout whose program runs in turn with this one
 */
export async function benchStartup(other?: string): Promise<readonly Measurement[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-bench-"));
  try {
    // The model is not asked.
    await writeFullMemory(home, "http://127.0.0.1:9");
    const caliban = (...args: readonly string[]): TimedCommand => ({
      name: ["caliban", ...args].join(" "),
      command: workspaceNode,
      args: [programOf(root), ...args],
      previousArgs: other === undefined ? undefined : [programOf(other), ...args],
    });
    return interleaveCommands({
      commands: [
        { name: "node -e 0", command: workspaceNode, args: ["-e", "0"] },
        caliban("--version"),
        caliban("--help"),
        caliban("memory"),
        caliban("prompt"),
        caliban("settings"),
        ...executableCommands(["memory"], ["prompt"]),
      ],
      rounds: ROUNDS,
      cwd: join(home, "app"),
      env: { HOME: home },
    });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Of the standalone executable of this machine, if `pnpm executable` has built it. */
function executableCommands(...all: readonly (readonly string[])[]): readonly TimedCommand[] {
  const command = join(root, "dist/executable", executableName(hostTarget()));
  if (!existsSync(command)) return [];
  return all.map((args) => ({ name: `executable: ${args.join(" ")}`, command, args }));
}
