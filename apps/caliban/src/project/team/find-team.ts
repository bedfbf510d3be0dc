import { existsSync } from "node:fs";
import { command, terminalSafeLine, withCommands } from "@caliban/common";
import { checkoutRemotes, type TeamMemory } from "@caliban/memory/node";
import type { Project } from "../project.ts";
import {
  haveSameRemote,
  listTeams,
  readLink,
  readTeam,
  type StoredTeam,
  teamsDirectory,
  topicsDirectory,
} from "./team-files.ts";
import { displayRemote } from "./display-remote.ts";

type Input = Pick<Project, "environment" | "workspace">;

/** How a checkout and team memory belong together, as far as files tell. */
export type FoundTeam =
  /** The user connected this checkout. */
  | { readonly kind: "connected"; readonly team: StoredTeam }
  /** The checkout has other remotes than when it was connected. */
  | { readonly kind: "other-remote"; readonly team: StoredTeam }
  /** Another checkout with the same remote is connected. Only git can tell whether it is the same repository. */
  | { readonly kind: "likely"; readonly teams: readonly StoredTeam[] }
  | { readonly kind: "declined" };

/** Finds the team memory of a checkout with plain reads of a few small files, because the first request waits for it. */
export function findTeam(input: Input, projectHome: string): FoundTeam | undefined {
  const directory = teamsDirectory(input);
  if (directory === undefined || !existsSync(directory)) return undefined;
  const link = readLink(projectHome);
  const remotes = checkoutRemotes(input.workspace);
  if (link === undefined) {
    const teams = listTeams(directory).filter(({ checkouts }) =>
      haveSameRemote(checkouts, remotes),
    );
    return teams.length === 0 ? undefined : { kind: "likely", teams };
  }
  if (link.team === null)
    return haveSameRemote(link.remotes, remotes) ? { kind: "declined" } : undefined;
  const team = readTeam(directory, link.team);
  if (team === undefined) return undefined;
  return { kind: haveSameRemote(link.remotes, remotes) ? "connected" : "other-remote", team };
}

/** The team memory to load into a prompt, or why there is none. */
export function findTeamMemory(input: Input, projectHome: string): TeamMemory | undefined {
  const found = findTeam(input, projectHome);
  if (found?.kind === "connected") return { directory: topicsDirectory(found.team.directory) };
  if (found?.kind !== "other-remote") return undefined;
  const { remote } = found.team;
  const shown = terminalSafeLine(displayRemote(remote));
  const message = withCommands`This checkout has another remote than before, so the team memory of ${shown} is not used. To use it here, run: ${command("memory team init")} ${terminalSafeLine(remote)}`;
  return { notices: [{ code: "TEAM_NOT_USED", ...message }] };
}
