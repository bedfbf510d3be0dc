import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import { renderDiagnostic, SettingsError, type SettingsDiagnostic } from "@caliban/settings";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { openProject, type Project } from "../../project/project.ts";
import { EXIT } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { type Check, note, ok, problem } from "./check.ts";
import { checkDirectories } from "./check-directories.ts";
import { checkMemory } from "./check-memory.ts";
import { checkModel } from "./check-model.ts";
import { checkPermissions } from "./check-permissions.ts";
import { checkPipeline } from "./check-pipeline.ts";
import { checkServers } from "./check-servers.ts";
import { checkNode, checkPrograms, checkSessions, checkTerminal } from "./check-surroundings.ts";
import { shownPath } from "./shown-path.ts";

/** `caliban doctor`: what keeps it from working here, and what to do; exit code 1 when there is something. */
export async function examineInstallation(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const checks = [
    checkNode(host),
    ...(await checkDirectories(host)),
    ...(await checkWorkspace(invocation)),
    checkTerminal(host),
    ...(await checkPrograms(host)),
  ];
  const problems = checks.filter(({ status }) => status === "problem").length;
  return {
    stdout: invocation.json ? `${terminalSafeJson({ checks, problems })}\n` : render(checks),
    exitCode: problems === 0 ? EXIT.done : EXIT.failed,
  };
}

/** Everything that needs the settings; broken ones are the first thing to mend. */
async function checkWorkspace(invocation: Invocation): Promise<readonly Check[]> {
  const opened = await openOrExplain(invocation);
  if ("problems" in opened) return opened.problems;
  const { project } = opened;
  const { settings, workspace } = project;
  const { host } = invocation;
  return [
    ok("workspace", shownPath(host, workspace.root)),
    ...settingsChecks(host, project),
    ...(await checkPermissions(host, settings)),
    ...(await checkModel({ host, settings, wanted: textOption(invocation, "model") })),
    ...(await checkServers(invocation)),
    ...(await checkKept(invocation, project)),
  ];
}

/** What is kept about this project, which nothing is where no home is known. */
async function checkKept(invocation: Invocation, project: Project): Promise<readonly Check[]> {
  try {
    return [
      ...(await checkMemory(invocation, project)),
      await checkSessions(invocation),
      await checkPipeline(invocation),
    ];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [problem("memory", `${error.message}.`, "caliban memory explain")];
  }
}

async function openOrExplain(
  invocation: Invocation,
): Promise<{ readonly project: Project } | { readonly problems: readonly Check[] }> {
  try {
    return { project: await openProject(invocation) };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = error.problems.map((found) =>
      problem("settings", rendered(invocation.host, found), "Mend that line; nothing runs before."),
    );
    return { problems };
  }
}

function settingsChecks(host: Host, { settings }: Project): readonly Check[] {
  const { warnings } = settings;
  if (warnings.length === 0) return [ok("settings", "They can be read.")];
  return warnings.map((found) => note("settings", rendered(host, found)));
}

function rendered(host: Host, found: SettingsDiagnostic): string {
  return renderDiagnostic({ ...found, path: found.path && shownPath(host, found.path) });
}

const LABELS = { ok: "ok", note: "note", problem: "PROBLEM" } as const;

function render(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ about }) => about.length));
  const lines = checks.map(({ about, status, sentence, remedy }) => {
    const line = `${LABELS[status].padEnd(7)}  ${about.padEnd(width)}  ${terminalSafeLine(sentence)}\n`;
    if (remedy === undefined) return line;
    return `${line}${" ".repeat(width + 11)}-> ${terminalSafeLine(remedy)}\n`;
  });
  const problems = checks.filter(({ status }) => status === "problem").length;
  const end = problems === 0 ? "nothing is wrong" : `${problems} to mend`;
  return `${lines.join("")}${end}\n`;
}
