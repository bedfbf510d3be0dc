import { MAX_BODY_BYTES } from "@caliban/memory";
import { MemoryCommandError } from "./memory-command-error.ts";

/** More than any path or topic needs. Longer input is not processed. */
const MAX_CHARACTERS = 400_000;

/** The unvalidated fields of a call. */
export interface CommandCall {
  readonly command: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @throws MemoryCommandError */
export function readText(call: CommandCall, name: string): string {
  const value = call.fields[name];
  if (typeof value !== "string") throw invalidField(call, name, "a string");
  if (value.length > MAX_CHARACTERS) {
    const problem = `\`${name}\` has ${value.length} characters, and a file can have at most ${MAX_BODY_BYTES} bytes. Split it into several files`;
    throw new MemoryCommandError(problem);
  }
  if (value.includes("\0")) {
    throw new MemoryCommandError(`\`${name}\` contains a NUL character. Remove it`);
  }
  return value;
}

/** @throws MemoryCommandError */
export function readLine(call: CommandCall, name: string): number {
  const value = call.fields[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    throw invalidField(call, name, LINE);
  return value;
}

/** The first and the last line. */
export type LineRange = readonly [first: number, last: number];

/** @throws MemoryCommandError */
export function readRange(call: CommandCall, name: string): LineRange | undefined {
  const value = call.fields[name];
  if (value === undefined || value === null) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const [first, last] = items;
  if (items.length !== 2 || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) {
    throw invalidField(call, name, "two integers: the first and the last line, or -1 for the end");
  }
  return [Number(first), Number(last)];
}

const LINE = "an integer: the line after which to insert the text";

function invalidField(
  { command, fields }: CommandCall,
  name: string,
  what: string,
): MemoryCommandError {
  const problem = fields[name] === undefined ? "is missing" : "has another type";
  return new MemoryCommandError(`\`${name}\` of ${command} must be ${what}, but ${problem}`);
}
