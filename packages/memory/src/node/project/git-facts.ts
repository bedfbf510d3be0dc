import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@caliban/common";
import { runUntrustedGit } from "@caliban/common/node";
import { COMMIT } from "./git-files.ts";

/** The root commits of a repository; none when it is shallow, has no commit, or git does not answer in time. */
export async function gitRootCommits(
  directory: string,
  env: Environment,
): Promise<readonly string[]> {
  if (existsSync(join(directory, ".git", "shallow"))) return [];
  const { output } = await runUntrustedGit({
    directory,
    command: ["rev-list", "--max-parents=0", "HEAD"],
    env,
  });
  return output.split("\n").filter(Boolean).toSorted();
}

/** Whether a repository is known to be a different one from that with these root commits. */
export async function isOtherRepository(
  directory: string,
  { rootCommits, env }: { readonly rootCommits: readonly string[]; readonly env: Environment },
): Promise<boolean> {
  const [commit = ""] = rootCommits;
  // Git checks at once whether a commit exists, but walks the whole history to find the root commits.
  if (!COMMIT.test(commit)) return false;
  const { succeeded } = await runUntrustedGit({
    directory,
    command: ["cat-file", "-e", `${commit}^{commit}`],
    env,
  });
  if (succeeded) return false;
  const own = await gitRootCommits(directory, env);
  return own.length > 0 && !own.some((root) => rootCommits.includes(root));
}
