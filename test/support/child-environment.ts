/** The environment of a process that a test starts: nothing of the user's, and the cache of compiled code that all tests share. */
export function childEnvironment(home: string): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE = "", CALIBAN_RUNTIME } = process.env;
  // The runtime in the standalone executable is to run a file of a test, not the program.
  const asRuntime = CALIBAN_RUNTIME === undefined ? {} : { BUN_BE_BUN: "1" };
  return { HOME: home, PATH, NODE_COMPILE_CACHE, ...asRuntime };
}
