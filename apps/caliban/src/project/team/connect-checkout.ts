import { createHash } from "node:crypto";
import { join } from "node:path";
import { command, type CommandMessage, withCommands } from "@caliban/common";
import { writeFileAtomic } from "@caliban/common/node";
import { type CheckoutIdentity, identifyCheckout } from "@caliban/memory/node";
import { UsageError } from "../../usage-error.ts";
import type { Project } from "../project.ts";
import { findTeam } from "./find-team.ts";
import {
  linkPath,
  listTeams,
  readLink,
  recordPath,
  renderJson,
  type StoredTeam,
  teamsDirectory,
} from "./team-files.ts";

type Input = Pick<Project, "environment" | "workspace" | "home">;

/**
 * The team of a checkout. A checkout that is not connected is, if another one with the same remote and the same root
 * commits is: it moved, or is a second one. Runs git only then.
 */
export async function connectedTeam(project: Input): Promise<StoredTeam | undefined> {
  const home = await project.home();
  const found = home && findTeam(project, home.home);
  if (found?.kind === "connected") return found.team;
  if (found?.kind !== "likely") return undefined;
  const identity = await identify(project);
  const same = found.teams.filter((team) => sharesRoot(team, identity));
  const [only] = same;
  // Which of several is for the user to say.
  if (only === undefined || same.length > 1) return undefined;
  await linkCheckout(project, only.id, identity);
  return only;
}

/** Teams that may be meant: the repository is the same, but the user did not connect a checkout with this remote. */
export async function similarTeams(project: Input): Promise<readonly StoredTeam[]> {
  const directory = teamsDirectory(project);
  const teams = directory === undefined ? [] : listTeams(directory);
  if (teams.length === 0) return [];
  const identity = await identify(project);
  return teams.filter((team) => sharesRoot(team, identity));
}

/**
 * What identifies the repository to the team.
 * @throws UsageError without a commit, or with a history that was cut
 */
export async function requireIdentity(project: Input): Promise<CheckoutIdentity> {
  const identity = await identify(project);
  if (identity.rootCommits.length > 0) return identity;
  throw new UsageError(
    "team memory belongs to a git repository with its first commit. Commit something first, or in a shallow clone run: git fetch --unshallow",
  );
}

/** Connects a checkout to a team, new or known, and remembers the remote of the checkout. */
export async function connectCheckout(
  project: Input,
  { remote, identity }: { readonly remote: string; readonly identity: CheckoutIdentity },
): Promise<StoredTeam> {
  const directory = requireTeamsDirectory(project);
  const known = listTeams(directory).find(
    (team) => team.remote === remote && sharesRoot(team, identity),
  );
  const id = known?.id ?? teamId(remote, identity);
  const team: StoredTeam = {
    id,
    directory: join(directory, id),
    remote,
    rootCommits: union(known?.rootCommits, identity.rootCommits),
    checkouts: union(known?.checkouts, identity.remotes),
  };
  const { rootCommits, checkouts } = team;
  await writeFileAtomic(recordPath(team.directory), renderJson({ remote, rootCommits, checkouts }));
  await linkCheckout(project, id, identity);
  return team;
}

/** Remembers that the user does not want a team here, so that the checkout is not connected again by itself. */
export async function disconnectCheckout(project: Input): Promise<void> {
  const { remotes } = await identify(project);
  await linkCheckout(project, null, { remotes });
}

/** Whether this checkout has a decision of the user. */
export async function isDecided(project: Input): Promise<boolean> {
  const home = await project.home();
  return home !== undefined && readLink(home.home) !== undefined;
}

/** @throws UsageError without a home directory */
export function requireTeamsDirectory(project: Pick<Project, "environment">): string {
  const directory = teamsDirectory(project);
  if (directory !== undefined) return directory;
  throw new UsageError(
    "no home directory found, so there is nowhere to store team memory; set HOME",
  );
}

async function linkCheckout(
  project: Input,
  team: string | null,
  { remotes }: Pick<CheckoutIdentity, "remotes">,
): Promise<void> {
  const home = await project.home({ forWriting: true });
  if (home === undefined) return;
  await home.prepare();
  await writeFileAtomic(linkPath(home.home), renderJson({ team, remotes }));
}

async function identify({ environment, workspace }: Input): Promise<CheckoutIdentity> {
  return await identifyCheckout({ ...environment, workspace });
}

function sharesRoot(team: StoredTeam, { rootCommits }: CheckoutIdentity): boolean {
  return rootCommits.some((commit) => team.rootCommits.includes(commit));
}

/** The same in every checkout, wherever it is. */
function teamId(remote: string, { rootCommits }: CheckoutIdentity): string {
  const [root = ""] = rootCommits.toSorted();
  return createHash("sha256").update(`${root}\n${remote}`).digest("hex").slice(0, 16);
}

function union(one: readonly string[] = [], other: readonly string[] = []): readonly string[] {
  return [...new Set([...one, ...other])].toSorted();
}

/** What to do in a project without team memory. */
export const SET_UP: CommandMessage = withCommands`this project has no team memory. Set it up with: ${command("memory team init REMOTE")}`;
