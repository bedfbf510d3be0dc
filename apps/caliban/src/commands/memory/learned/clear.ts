import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PipelineStore } from "@caliban/autonomous-memory";
import { terminalSafeJson } from "@caliban/common";
import { listNames } from "@caliban/common/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { formatSessions } from "../../../pipeline/start-lines.ts";
import { learnedDirectory, type LearnedLocation } from "../../../project/locations.ts";
import { forgetSearch } from "../../../project/search/forget-search.ts";
import { UsageError } from "../../../usage-error.ts";
import { openLearned, withMemoryErrors, withStore } from "./open-learned.ts";

/** The result for one project. */
interface ClearedProject {
  readonly project: string;
  readonly hadMemory: boolean;
  /** Sessions that were read, and will never be read again. */
  readonly sessionsLeftOut: number;
}

/** `caliban memory clear`: removes what was learned from past sessions, but not the sessions themselves. */
export async function clearLearned(invocation: Invocation): Promise<CommandResult> {
  const isAll = invocation.options["all"] === true;
  const { location, warnings, off } = await openLearned(invocation, { forWriting: true });
  const projects = await projectsToClear(location, isAll);
  if (projects.length === 0) {
    const stdout = invocation.json ? `${terminalSafeJson({ cleared: [] })}\n` : NOTHING;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  }
  if (!(await isConfirmed(invocation, isAll ? projects.length : undefined)))
    return { stdout: "", stderr: ["nothing was removed"], exitCode: EXIT.failed };
  const cleared: ClearedProject[] = [];
  for (const project of projects) {
    // One lock at a time.
    cleared.push(await clearProject(location, project, invocation.host.now()));
    forgetSearch(invocation.host, project);
  }
  const hint = off === undefined ? "" : `learning remains off: ${off.message}\n`;
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ cleared })}\n`
      : cleared.map((each) => renderCleared(each, isAll)).join("") + hint,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

const NOTHING = "nothing to clear\n";

/** Clears everything under one lock, so that a concurrent run cannot bring it back. */
async function clearProject(
  location: LearnedLocation,
  project: string,
  nowMs: number,
): Promise<ClearedProject> {
  const { createGenerations } = await import("@caliban/autonomous-memory/node");
  const directory = learnedDirectory(join(projectsDirectory(location), project));
  const hadMemory = existsSync(join(directory, "current"));
  const clear = async (store: PipelineStore | undefined): Promise<number> => {
    let sessionsLeftOut = 0;
    const forget = (): void => {
      sessionsLeftOut = store?.admin.clear(project, nowMs) ?? 0;
    };
    // A missing directory is not created, not even to lock it.
    if (existsSync(directory)) await createGenerations({ directory }).clear(forget);
    else forget();
    return sessionsLeftOut;
  };
  const sessionsLeftOut =
    (await withStore(location, clear)) ?? (await withMemoryErrors(() => clear(undefined)));
  return { project, hadMemory, sessionsLeftOut };
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
  const whose =
    count === undefined ? "this project" : `${count} ${count === 1 ? "project" : "projects"}`;
  return await host.confirm(
    `Remove everything learned from past sessions of ${whose}? Sessions and topics are kept; nothing is learned from those sessions again.`,
  );
}

function renderCleared(
  { project, hadMemory, sessionsLeftOut }: ClearedProject,
  isNamed: boolean,
): string {
  const what = hadMemory ? "removed learned memory" : "no learned memory to remove";
  const where = isNamed ? ` of ${basename(project)}` : "";
  return `${what}${where}; ${formatSessions(sessionsLeftOut)} will not be read again\n`;
}
