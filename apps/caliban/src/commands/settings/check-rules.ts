import { parsePermissionRule } from "@caliban/agent-core";

/** A message about the first text that is not a permission rule; `undefined` when all of them are. */
export function findInvalidRule(texts: readonly string[]): string | undefined {
  const problems = texts.map(problemOf);
  const index = problems.findIndex((problem) => problem !== undefined);
  if (index === -1) return undefined;
  const complete = unsplitRule(texts.slice(index));
  const hint = complete === undefined ? "" : ` Quote a rule that contains spaces: '${complete}'`;
  return `${JSON.stringify(texts[index])} is not a valid permission rule: ${problems[index]}${hint}`;
}

/** The rule that the shell split at its spaces because it was not quoted. */
function unsplitRule(texts: readonly string[]): string | undefined {
  return texts
    .map((_, index) => texts.slice(0, index + 1).join(" "))
    .find((text) => problemOf(text) === undefined);
}

function problemOf(text: string): string | undefined {
  const parsed = parsePermissionRule(text);
  return "rule" in parsed ? undefined : parsed.problem;
}
