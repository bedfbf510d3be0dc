import { terminalSafe } from "@caliban/common";
import { renderReceipt } from "@caliban/memory";
import type { CommandResult, Invocation } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { openProject } from "../project/project.ts";
import { readPromptOverrides } from "./prompt-overrides.ts";
import { memoryWarnings, settingsWarnings } from "./warnings.ts";

/** `caliban prompt`: exactly the prompt that a model would get. On a terminal, control characters are escaped. */
export async function showPrompt(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const overrides = await readPromptOverrides(invocation);
  const project = await openProject(invocation);
  const memory = await project.memory();
  // Loaded on demand, because `caliban memory` shares this chunk and does not need it.
  const { composeAgent } = await import("../conversation/prompt/compose-agent.ts");
  const { prompt, warnings } = await composeAgent({ project, memory, overrides });
  const { text } = prompt;
  const start = renderReceipt({
    receipt: memory.receipt,
    view: "problems",
    command: host.command,
  }).trimEnd();
  return {
    stdout: host.isTerminal ? terminalSafe(text) : text,
    stderr: [
      ...settingsWarnings(host, project.settings.warnings),
      ...warnings.map(({ message }) => `warning: ${message}`),
      ...memoryWarnings(host, memory.receipt),
      ...(start === "" ? [] : [start]),
    ],
    exitCode: EXIT.done,
  };
}
