import { MAX_BODY_BYTES } from "@caliban/memory";
import { MemoryCommandError } from "./memory-command-error.ts";

/** More than any path or text of a topic has: what is longer is not looked at. */
const MOST_CHARACTERS = 400_000;

/** The fields of a call, none of which has been checked. */
export interface CommandCall {
  readonly command: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** @throws MemoryCommandError */
export function readText(call: CommandCall, name: string): string {
  const value = call.fields[name];
  if (typeof value !== "string") throw wrong(call, name, "a text");
  if (value.length > MOST_CHARACTERS) {
    const problem = `\`${name}\` has ${value.length} characters, and a file holds at most ${MAX_BODY_BYTES} bytes. Split it into several files`;
    throw new MemoryCommandError(`Error: ${problem}`);
  }
  if (value.includes("\0")) {
    throw new MemoryCommandError(`Error: \`${name}\` holds a NUL character. Leave it out`);
  }
  return value;
}

/** @throws MemoryCommandError */
export function readLine(call: CommandCall, name: string): number {
  const value = call.fields[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw wrong(call, name, LINE);
  return value;
}

/** The first and the last line that are asked for; `undefined` when all are. */
export type LineRange = readonly [first: number, last: number];

/** @throws MemoryCommandError */
export function readRange(call: CommandCall, name: string): LineRange | undefined {
  const value = call.fields[name];
  if (value === undefined || value === null) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const [first, last] = items;
  if (items.length !== 2 || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) {
    throw wrong(call, name, "two whole numbers, the first line and the last, -1 for the end");
  }
  return [Number(first), Number(last)];
}

const LINE = "a whole number, the line after which the text is put";

function wrong({ command, fields }: CommandCall, name: string, what: string): MemoryCommandError {
  const is = fields[name] === undefined ? "is missing" : "is something else";
  return new MemoryCommandError(`Error: \`${name}\` of ${command} must be ${what}, and ${is}`);
}
