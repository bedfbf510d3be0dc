import { terminalSafeLine } from "@caliban/common";
import { renderProblem, type SettingsProblem } from "@caliban/settings";

/** Settings warnings, one a line, for stderr. */
export function renderWarnings(warnings: readonly SettingsProblem[]): string {
  return warnings
    .map((problem) => `caliban: warning: ${terminalSafeLine(renderProblem(problem))}\n`)
    .join("");
}
