import { isBoundedPattern } from "@caliban/common";
import { FileToolError } from "../../file-tool-error.ts";

/** Tells whether a name matches a pattern. A name is a path with `/`. */
export type NameMatcher = (name: string) => boolean;

/**
 * Compiles a pattern with `*`, `**`, `?`, `[…]` and `{…}`. Parentheses and `+` are literal.
 *
 * @throws FileToolError if matching the pattern could take very long
 */
export async function createNameMatcher(
  pattern: string,
  { isAnywhere }: { readonly isAnywhere: boolean },
): Promise<NameMatcher> {
  rejectSlowPattern(pattern);
  const { default: picomatch } = await import("picomatch");
  // After a bracket or a brace, a plus would mean repetition.
  const literal = pattern.replace(/^\.\//, "").replace(/\\?[()+]/g, (found) => `\\${found.at(-1)}`);
  return picomatch(literal, {
    dot: true,
    nonegate: true,
    noextglob: true,
    // As in ignore files, a pattern without a slash matches in every directory.
    basename: isAnywhere && !literal.includes("/"),
  });
}

function rejectSlowPattern(pattern: string): void {
  if (isBoundedPattern(pattern)) return;
  throw new FileToolError(
    "BAD_PATTERN",
    "The pattern has too many stars or alternatives. Use at most 3 stars in one name, ** at most 3 times, and few alternatives in braces.",
  );
}
