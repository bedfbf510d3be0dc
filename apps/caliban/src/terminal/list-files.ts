import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "@caliban/common/node";

const MOST_FILES = 20_000;
const MOST_OUTPUT_BYTES = 8 * 1024 * 1024;
const FRESH_MS = 10_000;

/** The files of a workspace for completion, listed again when the last list has grown old. */
export function createFileList(root: string, now: () => number): () => Promise<readonly string[]> {
  let last: { readonly madeAt: number; readonly files: Promise<readonly string[]> } | undefined;
  return async () => {
    if (last === undefined || now() - last.madeAt > FRESH_MS) {
      last = { madeAt: now(), files: listFiles(root) };
    }
    return await last.files;
  };
}

/** What git knows and does not ignore; without git, what a walk finds. */
async function listFiles(root: string): Promise<readonly string[]> {
  return (await filesOfGit(root)) ?? (await walkedFiles(root));
}

/** The repository's own configuration could name a program to be run, so that is turned off. */
const GIT_ARGUMENTS = [
  "-c",
  "core.fsmonitor=false",
  "--no-optional-locks",
  "ls-files",
  "-z",
  "--cached",
  "--others",
  "--exclude-standard",
];

async function filesOfGit(root: string): Promise<readonly string[] | undefined> {
  return await new Promise((resolve) => {
    const limits = { cwd: root, maxBuffer: MOST_OUTPUT_BYTES, timeout: 2000 };
    execFile("git", GIT_ARGUMENTS, limits, (error, stdout) => {
      const files = stdout.split("\0").filter((file) => file !== "");
      resolve(error === null ? files.slice(0, MOST_FILES) : undefined);
    });
  });
}

const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "target", "dist", "build", "venv"]);

async function walkedFiles(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const directories = [""];
  for (const directory of directories) {
    if (files.length >= MOST_FILES || directories.length >= MOST_FILES) break;
    // One after the other, broadest first: what is left out at the limit is deepest.
    // oxlint-disable-next-line no-await-in-loop
    for (const entry of await entriesOf(join(root, directory))) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      const isLeftOut = entry.name.startsWith(".") || LEFT_OUT.has(entry.name);
      if (entry.isDirectory() && !isLeftOut) directories.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files.slice(0, MOST_FILES);
}

async function entriesOf(directory: string): ReturnType<typeof readEntries> {
  try {
    return await readEntries(directory);
  } catch (error) {
    // Not ours to read, or gone by now.
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

async function readEntries(directory: string): Promise<
  readonly {
    readonly name: string;
    readonly isDirectory: () => boolean;
    readonly isFile: () => boolean;
  }[]
> {
  return await readdir(directory, { withFileTypes: true });
}
