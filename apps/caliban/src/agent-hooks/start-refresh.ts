import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "@caliban/common/node";
import type { HookProject } from "./hook-project.ts";
import { hookStateDirectory } from "./state-directory.ts";

/** A refresh that takes longer has died. */
const MAX_REFRESH_MS = 60_000;

/** Starts a process that updates the stored notes, unless one is at it. Nothing waits for it, and nothing needs it. */
export async function startRefresh(project: HookProject): Promise<void> {
  const stateDirectory = hookStateDirectory(project.environment);
  if (stateDirectory === undefined) return;
  const marker = refreshMarker(stateDirectory, project);
  if (!claimRefresh(marker, project.host.now())) return;
  const { spawnRefresh } = await import("./spawn-refresh.ts");
  spawnRefresh(project, () => endRefresh(stateDirectory, project));
}

/** Lets the next refresh start. */
export function endRefresh(stateDirectory: string, project: Pick<HookProject, "workspace">): void {
  rmSync(refreshMarker(stateDirectory, project), { force: true });
}

function refreshMarker(
  stateDirectory: string,
  { workspace }: Pick<HookProject, "workspace">,
): string {
  const name = encodeURIComponent(workspace.root).slice(-MAX_NAME_CHARACTERS);
  return join(stateDirectory, "refreshing", name);
}

const MAX_NAME_CHARACTERS = 150;

function claimRefresh(marker: string, nowMs: number): boolean {
  const started = lstatSync(marker, { throwIfNoEntry: false })?.mtimeMs;
  if (started !== undefined && nowMs - started < MAX_REFRESH_MS) return false;
  mkdirSync(join(marker, ".."), { recursive: true, mode: 0o700 });
  rmSync(marker, { force: true });
  try {
    writeFileSync(marker, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}
