import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/**
 * The most memory that this process ever held. By the kernel's own count where there is one: what `resourceUsage` says
 * begins with what the parent held when it started us.
 */
export function peakMegabytes() {
  const text = existsSync(STATUS) ? readFileSync(STATUS, "utf8") : "";
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(text)?.[1];
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) / 1024;
}
