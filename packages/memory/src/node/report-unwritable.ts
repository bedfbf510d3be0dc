import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { MemoryError } from "../errors.ts";

/** Runs an action that writes; what the system refuses becomes a sentence that names the place. */
export async function reportUnwritable<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const code = errorCode(cause);
    if (cause instanceof MemoryError || code === undefined) throw cause;
    const sentence = `${terminalSafeLine(path)} cannot be written (${code}); check that its directory is yours to write`;
    throw new MemoryError("UNWRITABLE", sentence, { cause });
  }
}
