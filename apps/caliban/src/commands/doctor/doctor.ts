import { spellCommands, terminalSafeJson, terminalSafeLine, wrapText } from "@caliban/common";
import { isMemoryError } from "@caliban/memory";
import { createStyle } from "../../cli/style.ts";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import type { Project } from "../../project/project.ts";
import { formatCount } from "../format-count.ts";
import { abbreviatePath } from "../user-paths.ts";
import { type Check, ok, problem } from "./check.ts";
import { checkAgentHooks } from "./check-agent-hooks.ts";
import { checkDirectories } from "./check-directories.ts";
import { checkHooks } from "./check-hooks.ts";
import { checkMemory } from "./check-memory.ts";
import { checkModel } from "./check-model.ts";
import { checkPipeline } from "./check-pipeline.ts";
import { checkSandbox } from "./check-sandbox.ts";
import { checkServers } from "./check-servers.ts";
import { checkSettings, tryOpenProject } from "./check-settings.ts";
import { checkTeam } from "./check-team.ts";
import { checkNode, checkPrograms, checkSessions, checkTerminal } from "./check-surroundings.ts";

/** `caliban doctor`: checks this installation and suggests fixes. The exit code is 1 when there are problems. */
export async function checkInstallation(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const checks = [
    checkNode(host),
    ...checkDirectories(host),
    ...(await checkWorkspace(invocation)),
    checkTerminal(host),
    ...checkPrograms(host),
  ];
  const problems = checks.filter(({ status }) => status === "problem").length;
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ checks: checks.map(toJson), problems })}\n`
      : `${checks.map((check) => renderCheck(check, checks, host)).join("")}${summary(problems)}\n`,
    exitCode: problems === 0 ? EXIT.done : EXIT.failed,
  };
}

/** In JSON a message is called `sentence`, which other programs rely on. */
function toJson({ about, status, message, remedy }: Check): object {
  return { about, status, sentence: message, remedy };
}

function summary(problems: number): string {
  return problems === 0 ? "no problems found" : `${formatCount(problems, "problem")} found`;
}

/** Everything that needs the settings. Invalid settings must be fixed first. */
async function checkWorkspace(invocation: Invocation): Promise<readonly Check[]> {
  const opened = await tryOpenProject(invocation);
  if ("problems" in opened) return opened.problems;
  const { project } = opened;
  const { settings, workspace } = project;
  const { host } = invocation;
  return [
    ok("workspace", abbreviatePath(host, workspace.root)),
    ...(await checkSettings(host, project)),
    await checkSandbox(project),
    ...(await checkModel({ host, settings, requested: textOption(invocation, "model") })),
    ...(await checkServers(invocation)),
    ...(await checkHooks(host, project)),
    ...(await checkAgentHooks(invocation)),
    ...(await checkStored(invocation, project)),
  ];
}

/** Everything stored about this project, which requires a home directory. */
async function checkStored(invocation: Invocation, project: Project): Promise<readonly Check[]> {
  try {
    return [
      ...(await checkMemory(invocation, project)),
      ...(await checkTeam(invocation, project)),
      await checkSessions(invocation),
      await checkPipeline(invocation),
    ];
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    const { command } = invocation.host;
    return [problem("memory", `${spellCommands(error, command)}.`, command("memory explain"))];
  }
}

const SYMBOLS = { ok: "✓", note: "!", problem: "✗" } as const;

function renderCheck(
  { about, label = about, status, message, remedy }: Check,
  all: readonly Check[],
  host: Host,
): string {
  const style = createStyle(host.hasColor("stdout"));
  const paint = { ok: style.good, note: style.warning, problem: style.bad }[status];
  const width = Math.max(...all.map((check) => (check.label ?? check.about).length));
  const indent = " ".repeat(width + 4);
  const wrapped = (text: string, before: string): string =>
    wrapText(terminalSafeLine(text), (host.columns() ?? Infinity) - before.length).join(
      `\n${before}`,
    );
  const line = `${paint(SYMBOLS[status])} ${label.padEnd(width)}  ${wrapped(message, indent)}\n`;
  if (remedy === undefined) return line;
  return `${line}${indent}${style.dim("→")} ${wrapped(remedy, `${indent}  `)}\n`;
}
