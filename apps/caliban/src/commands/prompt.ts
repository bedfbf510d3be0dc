import { terminalSafe } from "@caliban/common";
import { renderReceipt } from "@caliban/memory";
import type { CommandResult, Invocation } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { openProject } from "../project/project.ts";
import { readPromptOverrides } from "./prompt-overrides.ts";
import { renderMemoryWarnings, renderSettingsWarnings } from "./warnings.ts";

/** `caliban prompt`: exactly the prompt that a model would get. On a terminal, control characters are escaped. */
export async function showPrompt(invocation: Invocation): Promise<CommandResult> {
  const overrides = await readPromptOverrides(invocation);
  const project = await openProject(invocation);
  const memory = await project.memory();
  // Loaded on demand, because `caliban memory` shares this chunk and does not need it.
  const { composeAgent } = await import("../conversation/prompt/compose-agent.ts");
  const { prompt, warnings } = await composeAgent({ project, memory, overrides });
  const { text } = prompt;
  return {
    stdout: invocation.host.isTerminal ? terminalSafe(text) : text,
    stderr:
      renderSettingsWarnings(project.settings.warnings) +
      warnings.map(({ message }) => `caliban: warning: ${message}\n`).join("") +
      renderMemoryWarnings(invocation.host, memory.receipt) +
      renderReceipt({
        receipt: memory.receipt,
        view: "problems",
        command: "caliban memory explain",
      }),
    exitCode: EXIT.done,
  };
}
