import { spawn } from "node:child_process";
import type { HookProject } from "./hook-project.ts";

/** Starts `caliban hook refresh` in a process that outlives this one. */
export function spawnRefresh(
  { host, workspace, environment }: HookProject,
  onFailure: () => void,
): void {
  const [node = "", ...words] = host.program;
  const child = spawn(node, [...words, "hook", "refresh"], {
    cwd: workspace.root,
    env: environment.env,
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", onFailure);
  child.unref();
}
