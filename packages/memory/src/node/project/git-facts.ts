import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@caliban/common";
import { runUntrustedGit } from "@caliban/common/node";
import type { RepositoryFacts } from "../../project/shared-names.ts";
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

/** The facts that all clones of a repository share; `undefined` when it is shallow, has no commit, or git does not answer. */
export async function gitSharedFacts(
  directory: string,
  env: Environment,
): Promise<RepositoryFacts | undefined> {
  const [root, remotes] = await Promise.all([
    // One commit, and still the same after another history was merged.
    runUntrustedGit({
      directory,
      command: ["rev-list", "--max-parents=0", "--first-parent", "HEAD"],
      env,
    }),
    runUntrustedGit({
      directory,
      command: ["config", "--get-regexp", String.raw`^remote\..*\.url$`],
      env,
    }),
  ]);
  const rootCommit = root.output.trim();
  if (!COMMIT.test(rootCommit)) return undefined;
  return { rootCommit, remote: mainRemote(remotes.output) };
}

/** The URL of `origin`, or of the first remote by name. */
function mainRemote(output: string): string | undefined {
  const remotes = output
    .split("\n")
    .map((line) => /^remote\.(.*)\.url (.+)$/.exec(line))
    .flatMap((match) => (match === null ? [] : [{ name: match[1] ?? "", url: match[2] ?? "" }]))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return (remotes.find(({ name }) => name === "origin") ?? remotes[0])?.url;
}

/** Whether the history of a repository ends where it was cut. */
export async function isShallow(directory: string, env: Environment): Promise<boolean> {
  const command = ["rev-parse", "--is-shallow-repository"];
  return (await runUntrustedGit({ directory, command, env })).output.trim() === "true";
}
