import { parsePermissionRule } from "@caliban/agent-core";

/** What is wrong with the first word that is no permission rule; `undefined` when all of them are rules. */
export function ruleMistake(words: readonly string[]): string | undefined {
  const problems = words.map(problemOf);
  const place = problems.findIndex((problem) => problem !== undefined);
  if (place === -1) return undefined;
  const word = JSON.stringify(words[place]);
  const whole = wholeRule(words.slice(place));
  const hint = whole === undefined ? "" : ` A rule with blanks needs quotes: '${whole}'`;
  return `${word} is no permission rule: ${problems[place]}${hint}`;
}

/** A rule that was taken apart at its blanks, which is what a shell does to one without quotes. */
function wholeRule(words: readonly string[]): string | undefined {
  return words
    .map((_, index) => words.slice(0, index + 1).join(" "))
    .find((text) => problemOf(text) === undefined);
}

function problemOf(text: string): string | undefined {
  const parsed = parsePermissionRule(text);
  return "rule" in parsed ? undefined : parsed.problem;
}
