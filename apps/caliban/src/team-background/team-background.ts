import { spawn } from "node:child_process";
import { type SpellCommand, terminalSafeLine } from "@caliban/common";
import { writeFileAtomic } from "@caliban/common/node";
import type { Invocation } from "../command.ts";
import { autoMemoryOffReason } from "../project/auto-memory-off.ts";
import { hasTeams } from "../project/has-teams.ts";
import { openProject, type Project } from "../project/project.ts";
import {
  connectedTeam,
  disconnectCheckout,
  isDecided,
  similarTeams,
} from "../project/team/connect-checkout.ts";
import { displayRemote } from "../project/team/display-remote.ts";
import { findTeam } from "../project/team/find-team.ts";
import {
  readSummary,
  renderJson,
  type StoredTeam,
  summaryPath,
} from "../project/team/team-files.ts";

export interface TeamBackgroundInput {
  readonly invocation: Invocation;
  readonly say: (message: string) => void;
}

/**
 * After the first request: connects a checkout of a known repository, mentions a fork once, reports once that the remote
 * cannot be reached, and syncs if the user wants that. Nothing waits for it.
 */
export async function startTeamMemory({ invocation, say }: TeamBackgroundInput): Promise<void> {
  const project = await openIfUsed(invocation);
  if (project === undefined) return;
  const { command } = invocation.host;
  const home = await project.home();
  const found = home && findTeam(project, home.home);
  if (found?.kind === "connected") {
    await reportProblem(found.team, say);
    if (project.settings.values["memory.team.auto"]) spawnSync(project);
  } else if (found?.kind === "likely") {
    const team = await connectedTeam(project);
    if (team !== undefined)
      say(
        `memory: this checkout shares the team memory of ${shown(team)}; /memory reload uses it in this session`,
      );
  } else if (found === undefined && home !== undefined && !(await isDecided(project))) {
    await mentionFork(project, { say, command });
  }
}

/** When a session ends: sends what was shared in it. */
export async function syncAfterSession(invocation: Invocation): Promise<void> {
  const project = await openIfUsed(invocation);
  if (project === undefined || !project.settings.values["memory.team.auto"]) return;
  const home = await project.home();
  if (home !== undefined && findTeam(project, home.home)?.kind === "connected") spawnSync(project);
}

/** `undefined` for users without a team, and where it is off. */
async function openIfUsed(invocation: Invocation): Promise<Project | undefined> {
  if (invocation.bare || !invocation.memory) return undefined;
  if (!hasTeams({ environment: invocation.host })) return undefined;
  const project = await openProject(invocation);
  const isOn = autoMemoryOffReason(project) === undefined;
  return isOn && project.settings.values["memory.team.enabled"] ? project : undefined;
}

/** Once for every time that the remote stops answering. */
async function reportProblem(team: StoredTeam, say: TeamBackgroundInput["say"]): Promise<void> {
  const summary = readSummary(team.directory);
  const { problem } = summary;
  if (problem === undefined || problem.isReported === true) return;
  const message = terminalSafeLine(problem.message).replace(/\.$/, "");
  say(
    `memory: the team memory of ${shown(team)} cannot be synced: ${message}. What was received before is used.`,
  );
  const reported = { ...summary, problem: { ...problem, isReported: true } };
  await writeFileAtomic(summaryPath(team.directory), renderJson(reported));
}

/** The same repository with another remote may have other readers, so only the user connects it. */
async function mentionFork(
  project: Project,
  { say, command }: { readonly say: TeamBackgroundInput["say"]; readonly command: SpellCommand },
): Promise<void> {
  const [team] = await similarTeams(project);
  if (team === undefined) return;
  const init = command(`memory team init ${terminalSafeLine(team.remote)}`);
  say(
    `memory: this looks like a fork of a repository with team memory, which is not used here. To use it: ${init}`,
  );
  await disconnectCheckout(project);
}

function shown({ remote }: StoredTeam): string {
  return terminalSafeLine(displayRemote(remote));
}

/** In a process that outlives this one. */
function spawnSync({ host, workspace, environment }: Project): void {
  const [node = "", ...words] = host.program;
  const child = spawn(node, [...words, "memory", "team", "sync", "--background"], {
    cwd: workspace.root,
    env: environment.env,
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", () => undefined);
  child.unref();
}
