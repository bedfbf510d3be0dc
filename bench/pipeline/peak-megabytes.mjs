import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/**
 * The peak memory use of this process. Reads it from the kernel where possible, because `resourceUsage` starts with the
 * memory of the parent process at the time of the fork.
 */
export function peakMegabytes() {
  const text = existsSync(STATUS) ? readFileSync(STATUS, "utf8") : "";
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(text)?.[1];
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) / 1024;
}
