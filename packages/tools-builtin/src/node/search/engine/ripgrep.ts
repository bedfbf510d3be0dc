import { accessSync, constants } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";
import type { Environment } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import { isInside } from "../../real-path.ts";
import type { ToolWorkspace } from "../../tool-workspace.ts";
import { SKIPPED_DIRECTORIES } from "../walk/walk-files.ts";
import { isConfirmed } from "./confirm-file.ts";
import { createEventReader } from "./ripgrep-events.ts";
import { createSearchDeadline } from "./search-deadline.ts";
import { MAX_FILE_BYTES, type SearchEngine, type SearchRequest } from "./search-request.ts";

/** Finds the ripgrep of this machine, if it is installed. */
export function findRipgrep(workspace: ToolWorkspace): string | undefined {
  if (workspace.findRipgrep !== undefined) return workspace.findRipgrep();
  const { env, platform, root, additionalDirectories } = workspace;
  const name = platform === "win32" ? "rg.exe" : "rg";
  const directories = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
  return directories
    .map((directory) => realPathIfExists(join(directory, name)))
    .find(
      (path): path is string =>
        path !== undefined &&
        // Ignores one in the workspace: a repository could bring its own, and searching needs no permission.
        ![root, ...additionalDirectories].some((parent) => isInside(parent, path)) &&
        isExecutable(path),
    );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

/** Makes it find the same as the built-in search, in the same order, whatever the user has configured. */
const FIXED_OPTIONS = `
  --json --no-config --no-messages --engine=auto --crlf --sort=path
  --hidden --no-require-git --no-ignore-dot --no-ignore-global
`
  .trim()
  .split(/\s+/);

const MAX_ERROR_CHARACTERS = 2_000;

/** Searches with the ripgrep at a path. It runs without a shell and reads no configuration. */
export function createRipgrepSearch(program: string, env: Environment): SearchEngine {
  return async (request, onFile) => {
    const { spawn } = await import("node:child_process");
    const { target, isDirectory } = request;
    const child = spawn(program, argumentsOf(request), {
      cwd: isDirectory ? target : dirname(target),
      env: { PATH: env["PATH"], HOME: env["HOME"], SystemRoot: env["SystemRoot"] },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
    let errorOutput = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errorOutput = (errorOutput + text).slice(0, MAX_ERROR_CHARACTERS);
    });
    const exited = new Promise<string | undefined>((resolve) => {
      child.once("close", () => resolve(undefined));
      child.once("error", (error) => {
        resolve(errorCode(error) ?? error.message);
        // Bun leaves the output of a program open that never started.
        lines.close();
      });
    });
    const deadline = createSearchDeadline(request, () => void child.kill("SIGKILL"));
    const reader = createEventReader(request, (file) =>
      isConfirmed(request, file) ? onFile(file) : "more",
    );
    try {
      for await (const line of lines) {
        if (reader.push(line) === "more" && deadline.stopped() === undefined) continue;
        child.kill("SIGKILL");
        break;
      }
      const failure = await exited;
      const stopped = deadline.stopped();
      if (stopped !== undefined) return { kind: stopped };
      if (reader.state() !== "unfinished")
        return { kind: reader.state() === "enough" ? "enough" : "done" };
      return { kind: "failed", message: failure ?? describeFailure(errorOutput, program) };
    } finally {
      deadline.release();
    }
  };
}

function argumentsOf(request: SearchRequest): readonly string[] {
  const { pattern, target, isDirectory, ignoreCase, contextLines } = request;
  return [
    ...FIXED_OPTIONS,
    ...SKIPPED_DIRECTORIES.map((name) => `--glob=!${name}`),
    `--max-filesize=${MAX_FILE_BYTES}`,
    `--context=${contextLines}`,
    ignoreCase ? "--ignore-case" : "--case-sensitive",
    "--",
    pattern,
    isDirectory ? "./" : `./${basename(target)}`,
  ];
}

/** The last line of the error output says what is wrong; those before it show the position. */
function describeFailure(errorOutput: string, program: string): string {
  const last = errorOutput
    .trim()
    .split("\n")
    .at(-1)
    ?.replace(/^error:\s*/, "");
  return last === undefined || last === ""
    ? `${basename(program)} ended without an error message`
    : last;
}
