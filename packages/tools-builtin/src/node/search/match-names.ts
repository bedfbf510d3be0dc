import { FileToolError } from "../file-tool-error.ts";

const MOST_STARS = 3;

/** Tells whether names fit a pattern; a name is a path with `/`. */
export type NameMatcher = (name: string) => boolean;

/**
 * Compiles a pattern with `*`, `**`, `?`, `[…]` and `{…}`. Brackets that are round stand for themselves.
 *
 * @throws FileToolError for a pattern that could take very long to match
 */
export async function nameMatcher(
  pattern: string,
  { isAnywhere }: { readonly isAnywhere: boolean },
): Promise<NameMatcher> {
  refuseManyStars(pattern);
  const { default: picomatch } = await import("picomatch");
  const literal = pattern.replace(/^\.\//, "").replace(/\\?[()]/g, (found) => `\\${found.at(-1)}`);
  return picomatch(literal, {
    dot: true,
    nonegate: true,
    noextglob: true,
    // As ignore files have it: a name without a slash is meant in every directory.
    basename: isAnywhere && !literal.includes("/"),
  });
}

/** Each star more multiplies the ways in which a long name can fail to match. */
function refuseManyStars(pattern: string): void {
  const segments = pattern.split("/");
  const inOne = Math.max(
    ...segments.map((segment) => segment.replaceAll("**", "*").split("*").length - 1),
  );
  const deep = segments.filter((segment) => segment === "**").length;
  if (inOne <= MOST_STARS && deep <= MOST_STARS) return;
  throw new FileToolError(
    "BAD_PATTERN",
    `The pattern has more than ${MOST_STARS} stars in one name, or ** more often than that. Use a simpler one.`,
  );
}
