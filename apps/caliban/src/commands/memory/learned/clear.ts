import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ClearedProject } from "@caliban/autonomous-memory/node";
import { terminalSafeJson } from "@caliban/common";
import { listNames } from "@caliban/common/node";
import { forgetSearch } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { learnedDirectory, type LearnedLocation } from "../../../project/locations.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { openLearned, withMemoryErrors, withStore } from "./open-learned.ts";

/** `caliban memory clear`: removes what was learned from past sessions, but not the sessions themselves. */
export async function clearLearned(invocation: Invocation): Promise<CommandResult> {
  const isAll = invocation.options["all"] === true;
  const { host, json } = invocation;
  const { location, warnings, off } = await openLearned(invocation, { forWriting: true });
  const projects = await projectsToClear(location, isAll);
  if (projects.length === 0) {
    const stdout = json ? `${terminalSafeJson({ cleared: [] })}\n` : "nothing to clear\n";
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  }
  if (!(await isConfirmed(invocation, isAll ? projects.length : undefined)))
    return { stdout: "", stderr: ["nothing was removed"], exitCode: EXIT.failed };
  const { clearProject } = await import("@caliban/autonomous-memory/node");
  const cleared: (ClearedProject & { readonly project: string })[] = [];
  for (const project of projects) {
    const directory = learnedDirectory(join(projectsDirectory(location), project));
    const input = { project, directory, stateFile: location.stateFile, nowMs: host.now() };
    // One lock at a time.
    cleared.push({ project, ...(await withMemoryErrors(() => clearProject(input))) });
    forgetSearch(host, project);
  }
  const hint = off === undefined ? "" : `learning remains off: ${off.message}\n`;
  const text = cleared.map((each) => renderCleared(each, isAll ? each.project : undefined));
  return {
    stdout: json ? `${terminalSafeJson({ cleared })}\n` : text.join("") + hint,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

/** This project, or every project with state or memory. */
async function projectsToClear(
  location: LearnedLocation,
  isAll: boolean,
): Promise<readonly string[]> {
  const known = (await withStore(location, ({ admin }) => admin.projects())) ?? [];
  if (!isAll) {
    const exists = known.includes(location.project) || existsSync(location.directory);
    return exists ? [location.project] : [];
  }
  const projects = projectsDirectory(location);
  const withMemory = listNames(projects).filter((name) =>
    existsSync(learnedDirectory(join(projects, name))),
  );
  return [...new Set([...known, ...withMemory])].toSorted();
}

function projectsDirectory({ projectHome }: LearnedLocation): string {
  return dirname(projectHome.home);
}

async function isConfirmed(
  { host, options }: Invocation,
  count: number | undefined,
): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError("clear asks for confirmation, which needs a terminal; add --force");
  const whose = count === undefined ? "this project" : formatCount(count, "project");
  return await host.confirm(
    `Remove everything learned from past sessions of ${whose}? Sessions and topics are kept; nothing is learned from those sessions again.`,
  );
}

function renderCleared(
  { hadMemory, sessionsLeftOut }: ClearedProject,
  project: string | undefined,
): string {
  const what = hadMemory ? "removed learned memory" : "no learned memory to remove";
  const where = project === undefined ? "" : ` of ${basename(project)}`;
  const sessions = `${sessionsLeftOut.toLocaleString("en-US")} ${sessionsLeftOut === 1 ? "session" : "sessions"}`;
  return `${what}${where}; ${sessions} will not be read again\n`;
}
