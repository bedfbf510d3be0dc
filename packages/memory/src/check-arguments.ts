import { MemoryError } from "./errors.ts";

type Kind = "string" | "number" | "function" | "object" | "list";

const KINDS: Readonly<Record<Kind, readonly [string, (value: unknown) => boolean]>> = {
  string: ["a string", (value) => typeof value === "string"],
  number: ["a number", (value) => typeof value === "number" && !Number.isNaN(value)],
  function: ["a function", (value) => typeof value === "function"],
  object: ["an object", (value) => typeof value === "object" && value !== null],
  list: ["a list", (value) => typeof value === "object" && Symbol.iterator in Object(value)],
};

/**
 * Checks the required arguments of an exported function, for callers without types.
 * @throws MemoryError `INVALID_ARGUMENT`, such as `loadMemory: "directory" is required`
 */
export function checkArguments(
  functionName: string,
  given: unknown,
  kinds: Readonly<Record<string, Kind>>,
): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(Object(given), name);
    const [expected, matches] = KINDS[kind];
    if (matches(value)) continue;
    const problem = value === undefined ? "is required" : `must be ${expected}`;
    throw invalidArgument(`${functionName}: "${name}" ${problem}`);
  }
}

/** The same for a function with one text, without a cost for those that are called often. */
export function checkText(functionName: string, text: unknown): void {
  if (typeof text !== "string") throw invalidArgument(`${functionName}: requires a string`);
}

export function invalidArgument(message: string): MemoryError {
  return new MemoryError("INVALID_ARGUMENT", message);
}
