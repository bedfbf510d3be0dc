import { terminalSafe } from "@caliban/common";
import { renderStartLine } from "@caliban/memory";
import { readPromptOverrides } from "./prompt-overrides.ts";
import type { CommandResult, Invocation } from "../command.ts";
import { openProject } from "../project/project.ts";
import { EXIT } from "../exit-code.ts";
import { renderMemoryWarnings, renderSettingsWarnings } from "./warnings.ts";

/** `caliban prompt`: byte for byte what a model would get; only a terminal sees control characters spelled out. */
export async function showPrompt(invocation: Invocation): Promise<CommandResult> {
  const overrides = await readPromptOverrides(invocation);
  const project = await openProject(invocation);
  const memory = await project.memory();
  // What an agent needs is loaded for one only: `caliban memory` does without it.
  const { composeAgent } = await import("../conversation/prompt/compose-agent.ts");
  const { prompt, warnings } = await composeAgent({ project, memory, overrides });
  const { text } = prompt;
  return {
    stdout: invocation.host.isTerminal ? terminalSafe(text) : text,
    stderr:
      renderSettingsWarnings(project.settings.warnings) +
      warnings.map(({ message }) => `caliban: warning: ${message}\n`).join("") +
      renderMemoryWarnings(invocation.host, memory.receipt) +
      renderStartLine(memory.receipt, "caliban memory explain"),
    exitCode: EXIT.done,
  };
}
