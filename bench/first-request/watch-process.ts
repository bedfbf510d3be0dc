import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface WatchedProcess {
  /** The largest resident size; 0 where the system does not report it. */
  readonly peakMegabytes: number;
}

const POLL_INTERVAL_MS = 4;

/** Runs a process until it exits, and polls its memory use. @throws if it fails */
export async function watchProcess(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<WatchedProcess> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let peakKilobytes = 0;
  let stderr = "";
  child.stderr.on("data", (text) => void (stderr += String(text)));
  const timer = setInterval(() => {
    peakKilobytes = Math.max(peakKilobytes, peakOf(child.pid));
  }, POLL_INTERVAL_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(" ")} failed with ${code}: ${stderr}`);
  return { peakMegabytes: peakKilobytes / 1024 };
}

/** The kernel records the peak, so occasional polling is enough. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    // The process has exited, or this is not Linux.
    return 0;
  }
}
