import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "./error-code.ts";

const SYSTEM_FILE = "/dev/urandom";

/**
 * Unpredictable bytes as hexadecimal digits. Reads them from the system's device where there is one, because loading
 * Node's crypto takes milliseconds, and a first request must not wait for it.
 */
export function randomHex(bytes: number, file: string = SYSTEM_FILE): string {
  const found = readDevice(file, bytes) ?? crypto.getRandomValues(new Uint8Array(bytes));
  return Buffer.from(found).toString("hex");
}

/** `undefined` unless the file is a device that returned everything: any user can create a file on some systems. */
function readDevice(file: string, bytes: number): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    if (!fstatSync(descriptor).isCharacterDevice()) return undefined;
    const found = new Uint8Array(bytes);
    return readSync(descriptor, found) === bytes ? found : undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
