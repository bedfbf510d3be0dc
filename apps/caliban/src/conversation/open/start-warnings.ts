import { terminalSafeLine } from "@caliban/common";
import { type Receipt, renderGlobalWarning, renderStartLine } from "@caliban/memory";
import { renderProblem } from "@caliban/settings";
import type { Project } from "../../project/project.ts";
import type { ComposedAgent } from "../prompt/compose-agent.ts";

export interface StartWarningsInput {
  readonly project: Project;
  readonly receipt: Receipt;
  readonly agent: Pick<ComposedAgent, "warnings">;
}

/** What a person must hear before a conversation begins, one a line: settings, rules, skills, and memory that was cut. */
export function startWarnings(input: StartWarningsInput): readonly string[] {
  const { project, receipt, agent } = input;
  const { home, platform } = project.environment;
  const memory = [
    renderGlobalWarning({ receipt, home, platform }),
    renderStartLine(receipt, "caliban memory explain"),
  ];
  // What was lost of what a person relies on is said itself, not only counted.
  const lost = receipt.notices.filter(({ code }) => code === "LEARNED_NOT_USED");
  return [
    ...project.settings.warnings.map((problem) => terminalSafeLine(renderProblem(problem))),
    ...agent.warnings,
    ...lost.map(({ message: sentence }) => terminalSafeLine(sentence)),
    ...memory.map((line) => line.trimEnd()).filter((line) => line !== ""),
  ];
}
