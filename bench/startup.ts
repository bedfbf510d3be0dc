import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspaceNode } from "../scripts/workspace.mjs";
import { interleave } from "./interleave.ts";
import type { Timing } from "./timing.ts";

const BIN = join(root, "apps/caliban/dist/bin.js");
const ROUNDS = 25;

/** Whole processes against a Node that does nothing: what a person waits for caliban itself. */
export async function benchStartup(): Promise<readonly Timing[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-bench-"));
  try {
    writeTiers(home);
    const caliban = (...args: readonly string[]) => ({
      name: ["caliban", ...args].join(" "),
      command: workspaceNode,
      args: [BIN, ...args],
    });
    return interleave({
      commands: [
        { name: "node -e 0", command: workspaceNode, args: ["-e", "0"] },
        caliban("--version"),
        caliban("--help"),
        caliban("memory"),
        caliban("prompt"),
        caliban("settings"),
      ],
      rounds: ROUNDS,
      cwd: home,
      env: { HOME: home },
    });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** A global file, a project file and settings, as people have them. */
function writeTiers(home: string): void {
  mkdirSync(join(home, ".config/caliban"), { recursive: true });
  writeFileSync(join(home, ".config/caliban/CLAUDE.md"), "- Be brief.\n".repeat(50));
  writeFileSync(join(home, ".config/caliban/settings.toml"), "[memory]\ncap_tokens_auto = 8000\n");
  writeFileSync(join(home, "CLAUDE.md"), "- Use pnpm, never npm.\n".repeat(200));
}
