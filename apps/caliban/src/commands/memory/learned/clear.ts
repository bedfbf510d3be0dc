import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PipelineStore } from "@caliban/autonomous-memory";
import { terminalSafeJson } from "@caliban/common";
import { hasCode } from "@caliban/common/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { learnedDirectory, type LearnedLocation } from "../../../project/locations.ts";
import { sessions } from "../../../pipeline/start-lines.ts";
import { forgetSearch } from "../../../project/search/forget-search.ts";
import { UsageError } from "../../../usage-error.ts";
import { mended, openPipeline, withStore } from "./open-pipeline.ts";

/** What became of one project. */
interface ClearedProject {
  readonly project: string;
  readonly hadMemory: boolean;
  /** Sessions that were read, and stay out for good. */
  readonly sessionsLeftOut: number;
}

/** `caliban memory clear`: what was learned from past sessions, and all that is known of them, but not the sessions. */
export async function clearLearned(invocation: Invocation): Promise<CommandResult> {
  const isAll = invocation.options["all"] === true;
  const pipeline = await openPipeline(invocation, { forWriting: true });
  const { place, warnings, off } = pipeline;
  const projects = await projectsToClear(place, isAll);
  if (projects.length === 0) {
    const stdout = invocation.json ? `${terminalSafeJson({ cleared: [] })}\n` : NOTHING;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  }
  if (!(await isMeant(invocation, isAll ? projects.length : undefined)))
    return { stdout: "", stderr: "caliban: everything stays\n", exitCode: EXIT.failed };
  const cleared: ClearedProject[] = [];
  for (const project of projects) {
    // oxlint-disable-next-line no-await-in-loop -- one lock at a time
    cleared.push(await clearProject(place, project, invocation.host.now()));
    forgetSearch(invocation.host, project);
  }
  const hint = off === undefined ? "" : `learning stays off here: ${off.sentence}\n`;
  return {
    stdout: invocation.json
      ? `${terminalSafeJson({ cleared })}\n`
      : cleared.map((each) => rendered(each, isAll)).join("") + hint,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

const NOTHING = "nothing was learned here yet, so there is nothing to clear\n";

/** Everything in one step under one lock, so that a run which is under way cannot bring it back. */
async function clearProject(
  place: LearnedLocation,
  project: string,
  nowMs: number,
): Promise<ClearedProject> {
  const { createGenerations } = await import("@caliban/autonomous-memory/node");
  const directory = learnedDirectory(join(projectsDirectory(place), project));
  const hadMemory = existsSync(join(directory, "current"));
  const clear = async (store: PipelineStore | undefined): Promise<number> => {
    let sessionsLeftOut = 0;
    const forget = (): void => {
      sessionsLeftOut = store?.admin.clear(project, nowMs) ?? 0;
    };
    // What is not there is not made, not even to lock it.
    if (existsSync(directory)) await createGenerations({ directory }).clear(forget);
    else forget();
    return sessionsLeftOut;
  };
  const sessionsLeftOut =
    (await withStore(place, clear)) ?? (await mended(async () => await clear(undefined)));
  return { project, hadMemory, sessionsLeftOut };
}

/** This project, or every one that something is known of or was made for. */
async function projectsToClear(place: LearnedLocation, isAll: boolean): Promise<readonly string[]> {
  const known = (await withStore(place, ({ admin }) => admin.projects())) ?? [];
  if (!isAll) {
    const isThere = known.includes(place.project) || existsSync(place.directory);
    return isThere ? [place.project] : [];
  }
  const homes = await namesIn(projectsDirectory(place));
  const made = homes.filter((name) =>
    existsSync(learnedDirectory(join(projectsDirectory(place), name))),
  );
  return [...new Set([...known, ...made])].toSorted();
}

function projectsDirectory({ projectHome }: LearnedLocation): string {
  return dirname(projectHome.home);
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    return [];
  }
}

async function isMeant({ host, options }: Invocation, count: number | undefined): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError("clear asks before it removes, and nobody can answer here; add --force");
  const whose =
    count === undefined ? "this project" : `${count} ${count === 1 ? "project" : "projects"}`;
  return await host.confirm(
    `Remove what was learned from past sessions of ${whose}? The sessions and your notes stay; nothing is learned from those sessions again.`,
  );
}

function rendered(
  { project, hadMemory, sessionsLeftOut }: ClearedProject,
  isNamed: boolean,
): string {
  const what = hadMemory ? "removed what was learned" : "nothing had been learned";
  const where = isNamed ? ` in ${basename(project)}` : "";
  const stay = sessionsLeftOut === 1 ? "stays" : "stay";
  return `${what}${where}; ${sessions(sessionsLeftOut)} read so far ${stay} out for good\n`;
}
