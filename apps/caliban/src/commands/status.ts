import { dirname } from "node:path";
import { type Receipt, renderReceipt } from "@caliban/memory";
import type { CommandResult, Invocation } from "../command.ts";
import { openProject } from "../project/project.ts";
import { EXIT } from "../exit-code.ts";
import type { Host } from "../host.ts";
import { renderMemoryWarnings, renderSettingsWarnings } from "./warnings.ts";

/** `caliban` without a terminal: what it remembers here, and what to do next. */
export async function showStatus(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const project = await openProject(invocation);
  const { receipt } = await project.memory();
  const title = `caliban ${host.version}: memory in this directory\n`;
  return {
    stdout: title + renderReceipt({ ...host, receipt }) + nextSteps(host, receipt),
    stderr: renderSettingsWarnings(project.settings.warnings) + renderMemoryWarnings(host, receipt),
    exitCode: EXIT.done,
  };
}

function nextSteps(host: Host, { entries }: Receipt): string {
  const caliban = commandName(host);
  const isEmpty = entries.every(({ tokens }) => tokens === 0);
  const first = isEmpty
    ? "Write a CLAUDE.md in your project, or the global one above, to make it part of every prompt.\n"
    : "";
  return `
${first}Next:
  ${caliban} -p "…"     print an answer; without -p, start a conversation on a terminal
  ${caliban} doctor     check the installation and connect a model
  ${caliban} prompt     show the system prompt with this memory
  ${caliban} settings   show every setting and its origin
  ${caliban} --help     list all commands
`;
}

/** `npm start` in a clone has no `caliban` command yet. From another directory it was started by an alias. */
function commandName({ env }: Host): string {
  const isInClone = dirname(env["npm_package_json"] ?? "") === env["INIT_CWD"];
  return env["npm_lifecycle_event"] === "start" && isInClone ? "npm start --" : "caliban";
}
