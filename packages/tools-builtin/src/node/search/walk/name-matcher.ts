import { FileToolError } from "../../file-tool-error.ts";
import { countChoices, hasFewAlternatives } from "./pattern-limits.ts";

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

/** Each additional star or alternative multiplies the ways in which a long name can fail to match. */
function rejectSlowPattern(pattern: string): void {
  const choices = countChoices(pattern);
  if (choices !== undefined && hasFewAlternatives(pattern, choices)) return;
  throw new FileToolError(
    "BAD_PATTERN",
    "The pattern has too many stars or alternatives. Use at most 3 stars in one name, ** at most 3 times, and few alternatives in braces.",
  );
}
