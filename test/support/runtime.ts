/**
 * Runs a TypeScript file of a test in a process of its own: Node, or what `CALIBAN_RUNTIME` names, such as the runtime in
 * the standalone executable.
 */
export const RUNTIME: string = process.env["CALIBAN_RUNTIME"] ?? process.execPath;
