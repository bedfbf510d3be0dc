import { terminalSafeLine } from "@caliban/common";
import { type Receipt, renderGlobalWarning, renderStartLine } from "@caliban/memory";
import { renderProblem } from "@caliban/settings";
import type { Session } from "../compose.ts";
import type { Host } from "../host.ts";
import type { ComposedAgent } from "./compose-agent.ts";

export interface StartWarningsInput {
  readonly host: Host;
  readonly session: Session;
  readonly receipt: Receipt;
  readonly agent: Pick<ComposedAgent, "warnings">;
}

/** What a person must hear before a conversation begins, one a line: settings, rules, skills, and memory that was cut. */
export function startWarnings(input: StartWarningsInput): readonly string[] {
  const { host, session, receipt, agent } = input;
  const { home, platform } = host;
  const memory = [
    renderGlobalWarning({ receipt, home, platform }),
    renderStartLine(receipt, "caliban memory explain"),
  ];
  // What was lost of what a person relies on is said itself, not only counted.
  const lost = receipt.notices.filter(({ code }) => code === "LEARNED_NOT_USED");
  return [
    ...session.settings.warnings.map((problem) => terminalSafeLine(renderProblem(problem))),
    ...agent.warnings,
    ...lost.map(({ sentence }) => terminalSafeLine(sentence)),
    ...memory.map((line) => line.trimEnd()).filter((line) => line !== ""),
  ];
}
