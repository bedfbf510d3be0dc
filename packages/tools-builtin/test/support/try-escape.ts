import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { EscapeAttempt } from "../../../../test/attack/sandbox-escapes.ts";
import { SECRET, type SandboxHome } from "./sandbox-home.ts";

/** What an attempt printed, and what it achieved. */
export interface EscapeOutcome {
  readonly text: string;
  readonly escaped: readonly string[];
}

/** Runs an attempt and finds what it achieved. */
export async function tryEscape(
  home: SandboxHome,
  { command, settleMs = 0 }: EscapeAttempt,
  mode: "accept-edits" | "yolo",
): Promise<EscapeOutcome> {
  emptyDirectory(join(home.root, "work"));
  const before = home.snapshot();
  const { text } = await home.run(command, { mode });
  await pause(settleMs);
  const escaped = [
    ...(text.includes(SECRET) || text.includes("[masked]") ? ["read a secret"] : []),
    ...changedLines(before, home.snapshot()),
    ...(home.connections() === 0 ? [] : ["reached a service"]),
    ...(home.isCanaryAlive() ? [] : ["killed a process"]),
  ];
  return { text, escaped };
}

/** What earlier attempts left must not get in the way. */
function emptyDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  writeFileSync(join(directory, "a.txt"), "a\n");
}

function changedLines(before: string, after: string): readonly string[] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  return [
    ...old.filter((line) => !current.includes(line)).map((line) => `lost ${line}`),
    ...current.filter((line) => !old.includes(line)).map((line) => `found ${line}`),
  ];
}
