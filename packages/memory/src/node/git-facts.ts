import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import { remotesInConfig } from "../git-config.ts";

const TIME_LIMIT_MS = 2_000;
const MAX_CONFIG_BYTES = 256 * 1024;

/** The remotes of a repository, read without git. */
export async function gitRemotes(directory: string): Promise<readonly string[]> {
  const config = await readTextFile(join(directory, ".git", "config"), MAX_CONFIG_BYTES);
  return config.kind === "text" ? remotesInConfig(config.text) : [];
}

/** The first commits of a repository; none when it is shallow, has no commit, or git has no answer in time. */
export async function gitRootCommits(
  directory: string,
  env: Environment,
): Promise<readonly string[]> {
  if (existsSync(join(directory, ".git", "shallow"))) return [];
  const { output } = await git(directory, ["rev-list", "--max-parents=0", "HEAD"], env);
  return output.split("\n").filter(Boolean).toSorted();
}

/** Whether a repository is known to be another one than the one that had these first commits. */
export async function isOtherRepository(
  directory: string,
  { rootCommits, env }: { readonly rootCommits: readonly string[]; readonly env: Environment },
): Promise<boolean> {
  const [commit = ""] = rootCommits;
  // Whether a commit is there is answered at once; which commits are the first, only after a walk through them all.
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false;
  const { isDone } = await git(directory, ["cat-file", "-e", `${commit}^{commit}`], env);
  if (isDone) return false;
  const own = await gitRootCommits(directory, env);
  return own.length > 0 && !own.some((root) => rootCommits.includes(root));
}

/** The repository is not trusted: nothing it configures may run, and nothing is fetched, by any protocol. */
async function git(
  directory: string,
  command: readonly string[],
  { PATH }: Environment,
): Promise<{ readonly isDone: boolean; readonly output: string }> {
  const args = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", directory];
  const env = {
    PATH,
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
  const options = { timeout: TIME_LIMIT_MS, killSignal: "SIGKILL", env } as const;
  return await new Promise((resolve) => {
    execFile("git", [...args, ...command], options, (error, stdout) =>
      resolve({ isDone: error === null, output: error === null ? stdout : "" }),
    );
  });
}
