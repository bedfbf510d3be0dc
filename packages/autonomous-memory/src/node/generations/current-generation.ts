import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { errorCode, hasCode } from "@caliban/common/node";

/** The number of the current generation; whether that generation exists is another question. */
export type CurrentNumber =
  | { readonly kind: "none" }
  | { readonly kind: "number"; readonly number: number }
  /** The file exists and is invalid. */
  | { readonly kind: "damaged"; readonly reason: string };

export const CURRENT_FILE = "current";
export const GENERATIONS_DIRECTORY = "generations";
const MAX_BYTES = 32;
const { O_RDONLY } = constants;
const FLAGS: number = O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Reads the number of the current generation. Read it once per load, to see one generation throughout. */
export function readCurrentNumber(directory: string): CurrentNumber {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(join(directory, CURRENT_FILE), FLAGS);
    if (!fstatSync(descriptor).isFile()) return damaged("it is not a regular file");
    const bytes = Buffer.alloc(MAX_BYTES);
    const text = bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, MAX_BYTES, 0));
    const digits = /^([1-9]\d{0,14})\n$/.exec(text)?.[1];
    if (digits === undefined) return damaged("it does not name a generation");
    return { kind: "number", number: Number(digits) };
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return { kind: "none" };
    const code = errorCode(error);
    if (code === undefined) throw error;
    return damaged(code === "ELOOP" ? "it is a symbolic link" : `it cannot be read (${code})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The directory of a generation. */
export function generationDirectory(directory: string, number: number): string {
  return join(directory, GENERATIONS_DIRECTORY, String(number));
}

function damaged(reason: string): CurrentNumber {
  return { kind: "damaged", reason };
}
