/** The characters of a script without spaces, and each two that stand side by side. */
export function analyzeRun(run: string): {
  readonly single: readonly string[];
  readonly pairs: readonly string[];
} {
  const single = Array.from(run);
  return { single, pairs: single.slice(1).map((character, at) => `${single[at]}${character}`) };
}
