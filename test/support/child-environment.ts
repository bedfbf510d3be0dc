/** The environment of a process that a test starts: nothing of the user's, and the cache of compiled code that all tests share. */
export function childEnvironment(home: string): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  return { HOME: home, PATH, NODE_COMPILE_CACHE };
}
