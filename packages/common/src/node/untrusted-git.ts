import { execFile } from "node:child_process";
import { delimiter, isAbsolute, join, sep } from "node:path";
import type { Environment } from "../environment.ts";
import { realPathIfExists } from "./fs.ts";

const TIME_LIMIT_MS = 2_000;

/** The output of git; empty when it failed or took too long. */
export interface GitResult {
  readonly succeeded: boolean;
  readonly output: string;
}

export interface UntrustedGitInput {
  readonly directory: string;
  readonly command: readonly string[];
  readonly env: Environment;
  readonly maxOutputBytes?: number | undefined;
}

/**
 * Runs git in an untrusted repository: no configured hook or helper runs, nothing is fetched over any protocol, and of
 * the environment, which may contain keys, git only gets PATH.
 */
export async function runUntrustedGit(input: UntrustedGitInput): Promise<GitResult> {
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
      resolve({ succeeded: error === null, output: error === null ? stdout : "" }),
    );
  });
}

/** Drops directories inside the repository: it may contain a program called git, and its bin directory may be in PATH. */
function trustedPath(path: string, directory: string): string {
  const root = realPathIfExists(directory) ?? directory;
  const isTrusted = (entry: string): boolean => {
    const real = isAbsolute(entry) ? realPathIfExists(entry) : undefined;
    if (real === undefined || real.endsWith(join("node_modules", ".bin"))) return false;
    return real !== root && !real.startsWith(root + sep);
  };
  return path.split(delimiter).filter(isTrusted).join(delimiter);
}
