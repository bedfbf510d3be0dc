const MOST_CHARACTERS = 256;
const MOST_FREE = 2;
const MOST_CHOICES = 3;
const MOST_ALTERNATIVES = 64;
const MOST_ALTERNATIVES_WITH_CHOICES = 8;

/**
 * How many places in a name a matcher has to try in their product before it knows that a pattern does not fit; nothing for
 * a pattern that could take very long.
 */
export function countChoices(pattern: string): number | undefined {
  const deep = pattern.match(/\*{2,}/g)?.length ?? 0;
  const free = freeStars(pattern);
  const choices = deep + free;
  const isBounded =
    pattern.length <= MOST_CHARACTERS && free <= MOST_FREE && choices <= MOST_CHOICES;
  return isBounded ? choices : undefined;
}

/** Whether the braces of a pattern stand for few enough patterns, by the choices that each of them leaves. */
export function hasFewAlternatives(pattern: string, choices: number): boolean {
  const most = choices < MOST_CHOICES ? MOST_ALTERNATIVES : MOST_ALTERNATIVES_WITH_CHOICES;
  const product = pattern
    .split("{")
    .slice(1)
    .reduce((before, part) => before * part.split(",").length, 1);
  return product <= most;
}

/** The first star of a name is held by both ends of it; each one more can begin anywhere. */
function freeStars(pattern: string): number {
  return namesOf(pattern)
    .filter((name) => name !== "**")
    .map((name) => Math.max(0, (name.match(/\*+/g)?.length ?? 0) - 1))
    .reduce((sum, free) => sum + free, 0);
}

/** Where a slash may stand inside of braces, stars on both sides of it can come to lie in one name. */
function namesOf(pattern: string): readonly string[] {
  const isUnclear = pattern.includes("{") && /[\\[]|\{[^}]*[/{]/.test(pattern);
  return isUnclear ? [pattern.replaceAll(/(?<=^|\/)\*\*(?=\/|$)/g, "")] : pattern.split("/");
}
