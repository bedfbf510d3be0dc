import type { Environment } from "@caliban/common";
import { TeamError } from "../errors.ts";
import type { TeamLimits } from "../team/limits.ts";
import type { Team } from "../team/team.ts";

export interface OpenTeamInput {
  /** Where the team memory of this project is, below the data home. `init` creates it. */
  readonly directory: string;
  /** The keys that the user approved, in the format of `ssh-keygen`; below the config home. */
  readonly allowedSignersFile: string;
  /** The environment of the user, for git, its credential helpers and ssh. */
  readonly env: Environment;
  /** Who makes changes. If left out, what git is configured to use. */
  readonly author?: { readonly name: string; readonly email: string } | undefined;
  /** The SSH key that signs changes. If left out, what git is configured to use; `false` signs nothing. */
  readonly signingKey?: string | false | undefined;
  /** The program; `git` if left out. */
  readonly git?: string | undefined;
  readonly limits?: Partial<TeamLimits> | undefined;
  readonly now?: (() => number) | undefined;
}

/** Opens the team memory in a directory, which need not exist. Runs no git and reads nothing before the first call. */
export function openTeam(_input: OpenTeamInput): Team {
  return {
    init: notJoined,
    status: async () => undefined,
    topics: async () => [],
    sync: notJoined,
    share: notJoined,
    unshare: notJoined,
    log: notJoined,
    accept: notJoined,
    reject: notJoined,
    approve: notJoined,
    revoke: notJoined,
    settle: notJoined,
    acceptRewrite: notJoined,
    leave: notJoined,
  };
}

async function notJoined(): Promise<never> {
  throw new TeamError("NOT_JOINED", "this project does not share memory");
}
