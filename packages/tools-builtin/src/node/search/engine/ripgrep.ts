import { basename, dirname, delimiter, isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";
import type { Environment } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import { createEventReader } from "./ripgrep-events.ts";
import { createSearchDeadline } from "./search-deadline.ts";
import {
  SKIPPED_DIRECTORIES,
  MAX_FILE_BYTES,
  type SearchEngine,
  type SearchRequest,
} from "./search-request.ts";
import { accessSync, constants } from "node:fs";
import { isInside } from "../../resolve-path.ts";
import type { ToolWorkspace } from "../../tool-workspace.ts";

/** So that it finds what the built-in search finds, in the same order, whatever the person has set up. */
const OUR_WAY = `
  --json --no-config --no-messages --engine=auto --crlf --sort=path
  --hidden --no-require-git --no-ignore-dot --no-ignore-global
`
  .trim()
  .split(/\s+/);

const MOST_ERROR_CHARACTERS = 2_000;

/** A search by the ripgrep at a path. It is started without a shell, and reads no settings of its own. */
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
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(0, MOST_ERROR_CHARACTERS);
    });
    const exited = new Promise<string | undefined>((resolve) => {
      child.once("close", () => resolve(undefined));
      child.once("error", (error) => resolve(errorCode(error) ?? error.message));
    });
    const clock = createSearchDeadline(request, () => void child.kill("SIGKILL"));
    const reader = createEventReader(request, onFile);
    try {
      for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
        if (reader.take(line) === "more" && clock.stopped() === undefined) continue;
        child.kill("SIGKILL");
        break;
      }
      const failure = await exited;
      const stopped = clock.stopped();
      if (stopped !== undefined) return { kind: stopped };
      if (reader.state() !== "unfinished")
        return { kind: reader.state() === "enough" ? "enough" : "done" };
      return { kind: "failed", message: failure ?? sentenceOf(complaint, program) };
    } finally {
      clock.release();
    }
  };
}

function argumentsOf(request: SearchRequest): readonly string[] {
  const { pattern, target, isDirectory, ignoreCase, contextLines } = request;
  return [
    ...OUR_WAY,
    ...SKIPPED_DIRECTORIES.map((name) => `--glob=!${name}`),
    `--max-filesize=${MAX_FILE_BYTES}`,
    `--context=${contextLines}`,
    ignoreCase ? "--ignore-case" : "--case-sensitive",
    "--",
    pattern,
    isDirectory ? "./" : `./${basename(target)}`,
  ];
}

/** The last line of a complaint says what is wrong; those before it draw the place. */
function sentenceOf(complaint: string, program: string): string {
  const last = complaint
    .trim()
    .split("\n")
    .at(-1)
    ?.replace(/^error:\s*/, "");
  return last === undefined || last === "" ? `${basename(program)} ended without a word` : last;
}

/** The ripgrep of this machine, if it has one. */
export function findRipgrep(workspace: ToolWorkspace): string | undefined {
  if (workspace.findRipgrep !== undefined) return workspace.findRipgrep();
  const { env, platform, root, additionalDirectories } = workspace;
  const name = platform === "win32" ? "rg.exe" : "rg";
  const places = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
  return places
    .map((place) => realPathIfExists(join(place, name)))
    .find(
      (path): path is string =>
        path !== undefined &&
        // A repository could bring its own, and searching needs no permission.
        ![root, ...additionalDirectories].some((directory) => isInside(directory, path)) &&
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
