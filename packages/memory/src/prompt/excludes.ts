import ignore from "ignore";
import { MemoryError } from "../errors.ts";

const MAX_CHARACTERS = 256;
const MAX_STARS = 8;

/**
 * Compiles gitignore patterns, of which the last match wins, into a test of paths relative to the workspace root.
 * @throws MemoryError `INVALID_SETTINGS` for a pattern that could take forever to match
 */
export function compileExcludes(
  patterns: readonly string[],
  { ignoreCase }: { readonly ignoreCase: boolean },
): (relativePath: string) => boolean {
  const unsafe = patterns.find((pattern) => !isSafePattern(pattern));
  if (unsafe !== undefined) {
    const shown = JSON.stringify(unsafe.slice(0, 40));
    const message = `the exclude pattern ${shown} is too complex: at most ${MAX_CHARACTERS} characters and ${MAX_STARS} stars`;
    throw new MemoryError("INVALID_SETTINGS", message);
  }
  const matcher = ignore({ ignorecase: ignoreCase }).add([...patterns]);
  return (relativePath) => matcher.ignores(relativePath);
}

function isSafePattern(pattern: string): boolean {
  return pattern.length <= MAX_CHARACTERS && pattern.split("*").length - 1 <= MAX_STARS;
}
