import { checkArguments } from "../../check-arguments.ts";
import { repositoryAddress } from "../../project/shared-names.ts";
import { gitRemotes } from "./git-files.ts";
import { type OpenProjectHomeInput, resolveProjectRequest } from "./home.ts";
import type { Workspace } from "./workspace.ts";
import { resolveProjectPath } from "./worktree.ts";

/** What the checkouts of a repository have in common, wherever they are. */
export interface CheckoutIdentity {
  /** Of all histories that lead to HEAD; none in a shallow clone, or without a commit. */
  readonly rootCommits: readonly string[];
  /** The addresses of the remotes, the same for all protocols. A fork has other ones. */
  readonly remotes: readonly string[];
}

/** The remotes of a workspace's repository. Reads one file, and runs nothing. */
export function checkoutRemotes(workspace: Workspace): readonly string[] {
  checkArguments("checkoutRemotes", { workspace }, { workspace: "object" });
  return gitRemotes(resolveProjectPath(workspace).path).map(repositoryAddress);
}

/** Identifies the repository of a workspace. Runs git. */
export async function identifyCheckout(
  input: Pick<OpenProjectHomeInput, "workspace" | "env" | "platform" | "home">,
): Promise<CheckoutIdentity> {
  const { workspace, env } = await resolveProjectRequest(input);
  const { path } = resolveProjectPath(workspace);
  const { gitRootCommits } = await import("./git-facts.ts");
  return {
    rootCommits: await gitRootCommits(path, env),
    remotes: checkoutRemotes(workspace),
  };
}
