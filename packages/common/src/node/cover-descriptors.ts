import { closeSync, openSync, readFileSync } from "node:fs";
import { errorCode } from "./error-code.ts";
import { listNames } from "./fs.ts";

/** Further entries for the option `stdio` of a new process. */
export interface CoveredDescriptors {
  readonly stdio: readonly (number | "ignore")[];
  /** Call it when the process has started. */
  readonly release: () => void;
}

const NOTHING: CoveredDescriptors = { stdio: [], release: () => undefined };

/**
 * Covers the descriptors that this process got from the one that started it. A new process would get them, too, and a
 * directory among them leads out of a sandbox. `from` is the first descriptor that the caller does not set itself. Does
 * nothing on systems other than Linux, which do not say which descriptors these are.
 */
export function coverDescriptors(from: number): CoveredDescriptors {
  const inherited = new Set(inheritedDescriptors());
  const last = Math.max(...inherited);
  if (last < from) return NOTHING;
  const nothing = openSync("/dev/null", "r+");
  const numbers = Array.from({ length: last + 1 - from }, (_, index) => from + index);
  return {
    stdio: numbers.map((number) => (inherited.has(number) ? nothing : "ignore")),
    release: () => closeSync(nothing),
  };
}

/** Node closes its own descriptors in new processes, and the first sixteen in any case. All others are inherited. */
function inheritedDescriptors(): readonly number[] {
  return listNames("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor));
}

const CLOSE_ON_EXEC = 0o2_000_000;

function isPassedOn(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
