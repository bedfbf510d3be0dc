import { join } from "node:path";
import { spellCommands, userDirectories } from "@caliban/common";
import { openTeam as openEngine, type OpenTeamInput } from "@caliban/memory-git/node";
import type { Team } from "@caliban/memory-git";
import { UsageError } from "../../usage-error.ts";
import { readProjectForgotten } from "../forgotten.ts";
import type { Project } from "../project.ts";
import { connectedTeam, SET_UP } from "./connect-checkout.ts";
import { cloneDirectory, type StoredTeam } from "./team-files.ts";
import { refreshTopics } from "./refresh-topics.ts";

/** The team memory of a project, for those who may wait for git. */
export interface OpenedTeam {
  readonly stored: StoredTeam;
  readonly engine: Team;
  /** Writes the topics as files, after something changed. */
  readonly refresh: (problem?: string) => Promise<void>;
}

/** Opens the team memory of a project; `undefined` without one. */
export async function openProjectTeam(project: Project): Promise<OpenedTeam | undefined> {
  const stored = await connectedTeam(project);
  return stored && openStoredTeam(project, stored);
}

/** @throws UsageError without team memory */
export async function requireProjectTeam(project: Project): Promise<OpenedTeam> {
  const team = await openProjectTeam(project);
  if (team !== undefined) return team;
  throw new UsageError(spellCommands(SET_UP, project.host.command));
}

export function openStoredTeam(project: Project, stored: StoredTeam): OpenedTeam {
  const engine = openEngine(engineInput(project, stored));
  return {
    stored,
    engine,
    refresh: async (problem) => {
      const { environment, workspace, host } = project;
      const home = await project.home();
      const forgotten =
        home && (await readProjectForgotten(home.home, { ...environment, workspace }));
      await refreshTopics({ stored, engine, forgotten, problem, nowMs: host.now() });
    },
  };
}

function engineInput({ environment, host }: Project, stored: StoredTeam): OpenTeamInput {
  const { config } = userDirectories(environment);
  return {
    directory: cloneDirectory(stored.directory),
    // Whom the user trusts is theirs to edit, and the same in every team.
    allowedSignersFile: join(config ?? stored.directory, "team-signers"),
    env: environment.env,
    now: host.now,
  };
}
