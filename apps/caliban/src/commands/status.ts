import type { Receipt } from "@caliban/memory";
import type { CommandResult, Invocation } from "../command.ts";
import { openProject } from "../project/project.ts";
import { EXIT } from "../exit-code.ts";
import type { Host } from "../host.ts";
import { memoryWarnings, settingsWarnings } from "./warnings.ts";
import { renderReceipt } from "./memory/show.ts";

/** `caliban` without a terminal: what it remembers here, and what to do next. */
export async function showStatus(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const project = await openProject(invocation);
  const { receipt } = await project.memory();
  const title = `caliban ${host.version}: memory in this directory\n`;
  return {
    stdout: title + renderReceipt(host, receipt) + nextSteps(host, receipt),
    stderr: [
      ...settingsWarnings(host, project.settings.warnings),
      ...memoryWarnings(host, receipt),
    ],
    exitCode: EXIT.done,
  };
}

function nextSteps({ command }: Host, { entries }: Receipt): string {
  const isEmpty = entries.every(({ tokens }) => tokens === 0);
  const first = isEmpty
    ? "Write a CLAUDE.md in your project, or the global one above, to make it part of every prompt.\n"
    : "";
  return `
${first}Next:
  ${command('-p "…"')}     print an answer; without -p, start a conversation on a terminal
  ${command("doctor")}     check the installation and connect a model
  ${command("prompt")}     show the system prompt with this memory
  ${command("settings")}   show every setting and its origin
  ${command("--help")}     list all commands
`;
}
