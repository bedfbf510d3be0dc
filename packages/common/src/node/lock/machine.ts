import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "../error-code.ts";

/** Identifies this process, and tells whether another one is still alive. */
export interface Machine {
  readonly host: string;
  /** Changes with every boot, and differs in every container with its own process numbers. */
  readonly boot: string;
  readonly pid: number;
  /** When this process started, because process numbers are reused. */
  readonly start: string;
  /** Whether a process of this host and boot still exists, suspended or not. */
  readonly isAlive: (pid: number, start: string) => boolean;
}

/** Describes this process: by a few reads of /proc on Linux, by `ps` elsewhere. */
export function thisMachine(): Machine {
  // Only the process itself knows its number.
  // oxlint-disable-next-line no-restricted-globals
  const { pid } = process;
  return {
    host: hostname(),
    boot: `${readTrimmed("/proc/sys/kernel/random/boot_id")}/${processNamespace()}`,
    pid,
    start: processStart(pid) ?? "",
    isAlive: (other, start) => {
      const found = processStart(other);
      return found !== undefined && (start === "" || found === "" || found === start);
    },
  };
}

/** `undefined` when there is no such process, or only a zombie. */
function processStart(pid: number): string | undefined {
  const stat = readTrimmed(`/proc/${pid}/stat`);
  // The name in parentheses may contain anything, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (stat !== "") return /^[ZXx]$/.test(fields[0] ?? "") ? undefined : (fields[19] ?? "");
  if (readTrimmed("/proc/self/stat") !== "") return undefined;
  return canBeSignalled(pid) ? startByPs(pid) : undefined;
}

function canBeSignalled(pid: number): boolean {
  try {
    // oxlint-disable-next-line no-restricted-globals -- only the process can signal another one
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user exists, too.
    return errorCode(error) === "EPERM";
  }
}

/** For systems without /proc. Windows does not have `ps` either, so its start times are unknown. */
function startByPs(pid: number): string {
  try {
    const args = ["-o", "lstart=", "-p", String(pid)];
    return execFileSync("ps", args, { encoding: "utf8", stdio: "pipe" }).trim();
  } catch (error) {
    // The command is missing, or it failed because the process is gone now.
    if (!(error instanceof Error)) throw error;
    return "";
  }
}

function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch (error) {
    // Only Linux has process namespaces.
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}

function readTrimmed(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    // Only Linux has /proc, and a process may exit in between.
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}
