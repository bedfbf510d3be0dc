import { execFile } from "node:child_process";
import { delimiter, isAbsolute, join, sep } from "node:path";
import type { Environment } from "../environment.ts";
import { realPathIfThere } from "./real-path.ts";

const TIME_LIMIT_MS = 2_000;

/** What git said; nothing where it failed or took too long. */
export interface GitAnswer {
  readonly isDone: boolean;
  readonly output: string;
}

export interface UntrustedGitInput {
  readonly directory: string;
  readonly command: readonly string[];
  readonly env: Environment;
  readonly maxOutputBytes?: number | undefined;
}

/**
 * Runs git in a repository that is not trusted: nothing that it configures may run, nothing is fetched by any protocol,
 * and of the environment, which may hold keys, git gets the path alone.
 */
export async function runUntrustedGit(input: UntrustedGitInput): Promise<GitAnswer> {
  const { directory, command, env, maxOutputBytes = 1024 * 1024 } = input;
  const args = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", directory];
  const options = {
    timeout: TIME_LIMIT_MS,
    killSignal: "SIGKILL",
    maxBuffer: maxOutputBytes,
    env: {
      PATH: trustedPath(env["PATH"] ?? "", directory),
      GIT_ALLOW_PROTOCOL: "none",
      GIT_NO_LAZY_FETCH: "1",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
    },
  } as const;
  return await new Promise((resolve) => {
    execFile("git", [...args, ...command], options, (error, stdout) =>
      resolve({ isDone: error === null, output: error === null ? stdout : "" }),
    );
  });
}

/** A repository may bring a program that is called git, and people have its directory of programs in their path. */
function trustedPath(path: string, directory: string): string {
  const root = realPathIfThere(directory) ?? directory;
  const isTrusted = (place: string): boolean => {
    const real = isAbsolute(place) ? realPathIfThere(place) : undefined;
    if (real === undefined || real.endsWith(join("node_modules", ".bin"))) return false;
    return real !== root && !real.startsWith(root + sep);
  };
  return path.split(delimiter).filter(isTrusted).join(delimiter);
}
