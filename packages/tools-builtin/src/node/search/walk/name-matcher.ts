import { FileToolError } from "../../file-tool-error.ts";
import { countChoices, hasFewAlternatives } from "./pattern-limits.ts";

/** Tells whether names fit a pattern; a name is a path with `/`. */
export type NameMatcher = (name: string) => boolean;

/**
 * Compiles a pattern with `*`, `**`, `?`, `[…]` and `{…}`. Round brackets and `+` stand for themselves.
 *
 * @throws FileToolError for a pattern that could take very long to match
 */
export async function createNameMatcher(
  pattern: string,
  { isAnywhere }: { readonly isAnywhere: boolean },
): Promise<NameMatcher> {
  refuseManyChoices(pattern);
  const { default: picomatch } = await import("picomatch");
  // Behind a bracket or a brace, a plus would repeat it.
  const literal = pattern.replace(/^\.\//, "").replace(/\\?[()+]/g, (found) => `\\${found.at(-1)}`);
  return picomatch(literal, {
    dot: true,
    nonegate: true,
    noextglob: true,
    // As ignore files have it: a name without a slash is meant in every directory.
    basename: isAnywhere && !literal.includes("/"),
  });
}

/** Each star more, and each alternative, multiplies the ways in which a long name can fail to match. */
function refuseManyChoices(pattern: string): void {
  const choices = countChoices(pattern);
  if (choices !== undefined && hasFewAlternatives(pattern, choices)) return;
  throw new FileToolError(
    "BAD_PATTERN",
    "The pattern has too many stars or alternatives: at most 3 stars in one name, ** at most 3 times, and few alternatives in braces beside them. Use a simpler one.",
  );
}
