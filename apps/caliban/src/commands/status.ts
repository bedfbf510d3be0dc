import { dirname } from "node:path";
import type { Receipt } from "@caliban/memory";
import type { CommandResult, Invocation } from "../command.ts";
import { openProject } from "../project/project.ts";
import { EXIT } from "../exit-code.ts";
import type { Host } from "../host.ts";
import { renderMemoryWarnings, renderSettingsWarnings } from "./warnings.ts";
import { renderReceipt } from "./memory/show.ts";

/** `caliban` alone: what it remembers here, and how to go on. */
export async function showStatus(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const project = await openProject(invocation);
  const { receipt } = await project.memory();
  const title = `caliban ${host.version}: memory in this directory\n`;
  return {
    stdout: title + renderReceipt(host, receipt) + nextSteps(host, receipt),
    stderr: renderSettingsWarnings(project.settings.warnings) + renderMemoryWarnings(host, receipt),
    exitCode: EXIT.done,
  };
}

function nextSteps(host: Host, { entries }: Receipt): string {
  const caliban = commandName(host);
  const isEmpty = entries.every(({ tokens }) => tokens === 0);
  const first = isEmpty
    ? "Write a CLAUDE.md in your project, or the global one above, and it will be part of every prompt.\n"
    : "";
  return `
${first}Next:
  ${caliban} -p "…"     an answer on stdout; without -p, a conversation on a terminal
  ${caliban} doctor     what is set up, and how to connect a model
  ${caliban} prompt     the system prompt that this memory is part of
  ${caliban} settings   every setting and where it comes from
  ${caliban} --help     all commands
`;
}

/** Whoever came by `npm start` in the clone has no command of the name yet; from elsewhere it was by an alias. */
function commandName({ env }: Host): string {
  const isInClone = dirname(env["npm_package_json"] ?? "") === env["INIT_CWD"];
  return env["npm_lifecycle_event"] === "start" && isInClone ? "npm start --" : "caliban";
}
