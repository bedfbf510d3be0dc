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
  { PATH }: Environment,
): Promise<readonly string[]> {
  if (existsSync(join(directory, ".git", "shallow"))) return [];
  const output = await new Promise<string>((resolve) => {
    // The repository is not trusted: nothing it configures may run, and nothing is fetched, by any protocol.
    const args = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", directory];
    const env = {
      PATH,
      GIT_ALLOW_PROTOCOL: "none",
      GIT_NO_LAZY_FETCH: "1",
      GIT_TERMINAL_PROMPT: "0",
    };
    execFile(
      "git",
      [...args, "rev-list", "--max-parents=0", "HEAD"],
      { timeout: TIME_LIMIT_MS, killSignal: "SIGKILL", env },
      (error, stdout) => resolve(error === null ? stdout : ""),
    );
  });
  return output.split("\n").filter(Boolean).toSorted();
}
