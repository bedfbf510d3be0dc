import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";

/** Which generation is current, as far as its name goes. */
export type CurrentNumber =
  | { readonly kind: "none" }
  | { readonly kind: "number"; readonly number: number }
  /** Something is there that names none. */
  | { readonly kind: "damaged"; readonly reason: string };

export const CURRENT_FILE = "current";
export const GENERATIONS_DIRECTORY = "generations";
const MAX_BYTES = 32;
const { O_RDONLY } = constants;
const FLAGS: number = O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Reads which generation is current; whoever wants to see one generation whole asks once. */
export function readCurrentNumber(directory: string): CurrentNumber {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(join(directory, CURRENT_FILE), FLAGS);
    if (!fstatSync(descriptor).isFile()) return damaged("it is not a regular file");
    const bytes = Buffer.alloc(MAX_BYTES);
    const text = bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, MAX_BYTES, 0));
    const digits = /^([1-9]\d{0,14})\n$/.exec(text)?.[1];
    if (digits === undefined) return damaged("it names no generation");
    return { kind: "number", number: Number(digits) };
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return { kind: "none" };
    const code = errorCode(error);
    if (code === undefined) throw error;
    return damaged(code === "ELOOP" ? "it is a symbolic link" : `the system says ${code}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Where a generation is. */
export function generationDirectory(directory: string, number: number): string {
  return join(directory, GENERATIONS_DIRECTORY, String(number));
}

function damaged(reason: string): CurrentNumber {
  return { kind: "damaged", reason };
}
