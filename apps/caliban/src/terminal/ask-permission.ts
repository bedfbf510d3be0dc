import type { PermissionAnswer, PermissionQuestion } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { renderPermission } from "./permission-body.ts";
import type { Screen } from "./screen.ts";

/** Asks before a call: once, always, or no. */
export async function askPermission(
  screen: Screen,
  question: PermissionQuestion,
): Promise<PermissionAnswer> {
  const { theme } = screen;
  return await screen.ask<PermissionAnswer>({
    cancel: "no",
    body: (width) =>
      renderPermission(question, {
        theme,
        width,
        most: Math.max(4, screen.rows() - 12),
        workspaceRoot: screen.state().workspaceRoot,
      }),
    choices: [
      { answer: "once", label: "Yes, once", keys: ["y"] },
      { answer: "always", label: `Always: ${coverage(question)}`, keys: ["a"] },
      { answer: "no", label: "No", keys: ["n"] },
    ],
  });
}

function coverage(question: PermissionQuestion): string {
  return terminalSafeLine(question.coversAlways);
}
