import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "./error-code.ts";

/** Which process this is, and whether another one still is what it was. */
export interface Machine {
  readonly host: string;
  /** Changes with every start of the machine, and with every container that counts its own processes. */
  readonly boot: string;
  readonly pid: number;
  /** When this process began: a process number alone is used again. */
  readonly start: string;
  /** Whether a process of this host and boot is still there, suspended or not. */
  readonly isAlive: (pid: number, start: string) => boolean;
}

/** Looks at this process. On Linux that is a few reads; elsewhere `ps` is asked. */
export function thisMachine(): Machine {
  // Whose process this is cannot come from anywhere else, as the time cannot.
  // oxlint-disable-next-line no-restricted-globals
  const { pid } = process;
  return {
    host: hostname(),
    boot: `${textOf("/proc/sys/kernel/random/boot_id")}/${processNamespace()}`,
    pid,
    start: processStart(pid) ?? "",
    isAlive: (other, start) => {
      const found = processStart(other);
      return found !== undefined && (start === "" || found === "" || found === start);
    },
  };
}

/** `undefined` when there is no such process, or only what is left of one until its parent looks. */
function processStart(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, so the fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (stat !== "") return /^[ZXx]$/.test(fields[0] ?? "") ? undefined : (fields[19] ?? "");
  if (textOf("/proc/self/stat") !== "") return undefined;
  return isSignalled(pid) ? startByPs(pid) : undefined;
}

function isSignalled(pid: number): boolean {
  try {
    // oxlint-disable-next-line no-restricted-globals -- only the process can signal another one
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is there, too.
    return errorCode(error) === "EPERM";
  }
}

/** Where there is no /proc; Windows has no `ps` either, and says nothing about the start. */
function startByPs(pid: number): string {
  try {
    const args = ["-o", "lstart=", "-p", String(pid)];
    return execFileSync("ps", args, { encoding: "utf8", stdio: "pipe" }).trim();
  } catch (error) {
    // No such command, or it ended with a failure because the process is gone by now.
    if (!(error instanceof Error)) throw error;
    return "";
  }
}

function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch (error) {
    // Only Linux has them.
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    // Only Linux has it, and a process may end between two looks.
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}
