import { terminalSafe } from "@caliban/common";
import { renderStartLine } from "@caliban/memory";
import { readPromptWishes } from "../cli/read-prompt-wishes.ts";
import type { CommandResult, Invocation } from "../command.ts";
import { loadSessionMemory, openSession } from "../compose.ts";
import { EXIT } from "../exit-code.ts";
import { renderMemoryWarnings, renderSettingsWarnings } from "../render/warnings.ts";

/** `caliban prompt`: byte for byte what a model would get; only a terminal sees control characters spelled out. */
export async function showPrompt(invocation: Invocation): Promise<CommandResult> {
  const wishes = await readPromptWishes(invocation);
  const session = await openSession(invocation);
  const memory = await loadSessionMemory(invocation, session);
  // What an agent needs is loaded for one only: `caliban memory` does without it.
  const { composeAgent } = await import("../agent/compose-agent.ts");
  const { prompt, warnings } = await composeAgent({ invocation, session, memory, wishes });
  const { text } = prompt;
  return {
    stdout: invocation.host.isTerminal ? terminalSafe(text) : text,
    stderr:
      renderSettingsWarnings(session.settings.warnings) +
      warnings.map((line) => `caliban: warning: ${line}\n`).join("") +
      renderMemoryWarnings(invocation.host, memory.receipt) +
      renderStartLine(memory.receipt, "caliban memory explain"),
    exitCode: EXIT.done,
  };
}
