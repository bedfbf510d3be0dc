import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ProjectRecord, withoutUserInfo } from "../project-record.ts";

const run = promisify(execFile);
const TIME_LIMIT_MS = 5_000;

/** What git knows of a repository that moves with it. Asked only when it matters, never on the way to a prompt. */
export async function gitFacts(directory: string): Promise<Omit<ProjectRecord, "path">> {
  const isShallow = (await git(directory, "rev-parse", "--is-shallow-repository")) === "true";
  const rootCommits = isShallow ? "" : await git(directory, "rev-list", "--max-parents=0", "HEAD");
  const remotes = await git(directory, "config", "--get-regexp", String.raw`^remote\..*\.url$`);
  return {
    rootCommits: lines(rootCommits),
    remotes: lines(remotes).map((line) => withoutUserInfo(line.replace(/^\S+ /, ""))),
  };
}

/** Empty when git has no answer: no repository, no commit, no git. */
async function git(directory: string, ...args: readonly string[]): Promise<string> {
  // The repository is not trusted: nothing it configures may run, and nothing is fetched.
  const harmless = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  try {
    const { stdout } = await run("git", [...harmless, "-C", directory, ...args], {
      timeout: TIME_LIMIT_MS,
    });
    return stdout.trim();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "";
  }
}

function lines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n").toSorted();
}
