import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** How a process went. */
export interface WatchedProcess {
  /** Largest resident size; 0 where the system does not tell. */
  readonly peakMegabytes: number;
}

const LOOK_EVERY_MS = 4;

/** Runs a process to its end and looks at its memory meanwhile. @throws when it fails */
export async function watchProcess(
  command: string,
  args: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<WatchedProcess> {
  const child = spawn(command, args, { ...place, stdio: ["ignore", "ignore", "pipe"] });
  let peakKilobytes = 0;
  let complaint = "";
  child.stderr.on("data", (text) => void (complaint += String(text)));
  const timer = setInterval(() => {
    peakKilobytes = Math.max(peakKilobytes, peakOf(child.pid));
  }, LOOK_EVERY_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${complaint}`);
  return { peakMegabytes: peakKilobytes / 1024 };
}

/** The kernel keeps the peak itself, so a look now and then is enough. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    // It has ended, or this is no Linux.
    return 0;
  }
}
