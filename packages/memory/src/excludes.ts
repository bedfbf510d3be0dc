import ignore from "ignore";

/** Compiles gitignore patterns, last match wins, into a test of paths relative to the workspace root. */
export function compileExcludes(patterns: readonly string[]): (relativePath: string) => boolean {
  const matcher = ignore().add([...patterns]);
  return (relativePath) => matcher.ignores(relativePath);
}
