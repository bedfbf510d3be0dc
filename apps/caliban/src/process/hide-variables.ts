import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { errorCode } from "@caliban/common/node";

/**
 * Removes variables from the environment of this process, and from what other processes of the user can read of it. On
 * Linux that is the memory in which the process was given them, which changing a variable leaves as it was. Values that are
 * in use stay in memory, where a debugger could find them.
 */
export function hideVariables(
  machine: Pick<NodeJS.Process, "env" | "platform">,
  names: readonly string[],
): void {
  const values = new Set(names.flatMap((name) => machine.env[name] || []));
  const hidden = Object.keys(machine.env).filter((name) => values.has(machine.env[name] ?? ""));
  for (const name of hidden) delete machine.env[name];
  if (machine.platform === "linux" && values.size > 0) eraseValues([...values]);
}

function eraseValues(values: readonly string[]): void {
  try {
    const { start, length } = environmentBlock(readFileSync("/proc/self/stat", "utf8"));
    const descriptor = openSync("/proc/self/mem", "r+");
    try {
      const block = Buffer.alloc(length);
      readSync(descriptor, block, 0, length, start);
      for (const { offset, bytes } of findValues(block, values)) {
        writeSync(descriptor, Buffer.alloc(bytes), 0, bytes, start + offset);
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // Some systems do not allow it. The children do not get the variables in any case.
    if (errorCode(error) === undefined) throw error;
  }
}

interface MemoryBlock {
  readonly start: number;
  readonly length: number;
}

/** The 50th and 51st field say where the environment begins and ends. The second is a name that may contain anything. */
function environmentBlock(stat: string): MemoryBlock {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [start = 0, end = 0] = fields.slice(47, 49).map(Number);
  return { start, length: Math.max(0, end - start) };
}

interface FoundValue {
  readonly offset: number;
  readonly bytes: number;
}

/** Finds the values in a block of `NAME=value` texts that end with a zero byte each. */
function findValues(block: Buffer, values: readonly string[]): readonly FoundValue[] {
  return values.flatMap((value) => {
    const text = Buffer.from(`=${value}\0`);
    const found: FoundValue[] = [];
    for (let at = block.indexOf(text); at !== -1; at = block.indexOf(text, at + 1)) {
      found.push({ offset: at + 1, bytes: text.length - 2 });
    }
    return found;
  });
}
