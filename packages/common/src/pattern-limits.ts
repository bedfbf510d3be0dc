const MAX_CHARACTERS = 256;
const MAX_FREE_STARS = 2;
const MAX_CHOICES = 3;
const MAX_ALTERNATIVES = 64;
const MAX_ALTERNATIVES_WITH_CHOICES = 8;

/**
 * Counts the stars for which a matcher has to try every position in a name, in all combinations, before it knows that a
 * pattern does not match. Returns `undefined` if that could take very long.
 */
export function countChoices(pattern: string): number | undefined {
  const deep = pattern.match(/\*{2,}/g)?.length ?? 0;
  const free = freeStars(pattern);
  const choices = deep + free;
  const isBounded =
    pattern.length <= MAX_CHARACTERS && free <= MAX_FREE_STARS && choices <= MAX_CHOICES;
  return isBounded ? choices : undefined;
}

/** Whether a glob can be matched in reasonable time. Each star and each alternative multiplies the ways to fail. */
export function isBoundedPattern(pattern: string): boolean {
  const choices = countChoices(pattern);
  return choices !== undefined && hasFewAlternatives(pattern, choices);
}

/** Whether the braces of a pattern expand to few enough patterns, given the choices in each of them. */
function hasFewAlternatives(pattern: string, choices: number): boolean {
  const maxAlternatives = choices < MAX_CHOICES ? MAX_ALTERNATIVES : MAX_ALTERNATIVES_WITH_CHOICES;
  const product = pattern
    .split("{")
    .slice(1)
    .reduce((before, part) => before * part.split(",").length, 1);
  return product <= maxAlternatives;
}

/** The first star of a name is fixed by both ends of the name. Every further one can start anywhere. */
function freeStars(pattern: string): number {
  return namesOf(pattern)
    .filter((name) => name !== "**")
    .map((name) => Math.max(0, (name.match(/\*+/g)?.length ?? 0) - 1))
    .reduce((sum, free) => sum + free, 0);
}

/** If braces may contain a slash, stars on both sides of it can end up in the same name. */
function namesOf(pattern: string): readonly string[] {
  const isUnclear = pattern.includes("{") && /[\\[]|\{[^}]*[/{]/.test(pattern);
  return isUnclear ? [pattern.replaceAll(/(?<=^|\/)\*\*(?=\/|$)/g, "")] : pattern.split("/");
}
