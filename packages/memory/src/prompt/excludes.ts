import ignore from "ignore";
import { MemoryError } from "../errors.ts";

const MAX_CHARACTERS = 256;
const MAX_STARS = 8;

/**
 * Compiles gitignore patterns, last match wins, into a test of paths relative to the workspace root.
 * @throws MemoryError `INVALID_SETTINGS` for a pattern so long or so starred that matching could take for ever.
 */
export function compileExcludes(
  patterns: readonly string[],
  { ignoreCase }: { readonly ignoreCase: boolean },
): (relativePath: string) => boolean {
  const tooMuch = patterns.find((pattern) => !isExcludePattern(pattern));
  if (tooMuch !== undefined) {
    const sentence = `an exclude pattern has at most ${MAX_CHARACTERS} characters and ${MAX_STARS} stars, unlike ${JSON.stringify(tooMuch.slice(0, 40))}`;
    throw new MemoryError("INVALID_SETTINGS", sentence);
  }
  const matcher = ignore({ ignorecase: ignoreCase }).add([...patterns]);
  return (relativePath) => matcher.ignores(relativePath);
}

function isExcludePattern(pattern: string): boolean {
  return pattern.length <= MAX_CHARACTERS && pattern.split("*").length - 1 <= MAX_STARS;
}
