import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@caliban/common";
import { errorCode, runUntrustedGit } from "@caliban/common/node";

const MAX_FILES = 200_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const MAX_AGE_MS = 10_000;

interface FileListInput {
  readonly env: Environment;
  readonly now: () => number;
}

/** The files of a workspace for completion, listed again when the last list is too old. */
export function createFileList(
  root: string,
  { env, now }: FileListInput,
): () => Promise<readonly string[]> {
  let last: { readonly listedAt: number; readonly files: Promise<readonly string[]> } | undefined;
  return async () => {
    if (last === undefined || now() - last.listedAt > MAX_AGE_MS) {
      last = { listedAt: now(), files: listFiles(root, env) };
    }
    return await last.files;
  };
}

/** The files that git does not ignore; without git, the files that a walk finds. */
async function listFiles(root: string, env: Environment): Promise<readonly string[]> {
  return (await gitFiles(root, env)) ?? (await walkFiles(root));
}

const LISTING = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];

async function gitFiles(root: string, env: Environment): Promise<readonly string[] | undefined> {
  const { succeeded: isDone, output } = await runUntrustedGit({
    directory: root,
    command: LISTING,
    env,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  if (!isDone) return undefined;
  return output
    .split("\0")
    .filter((file) => file !== "")
    .slice(0, MAX_FILES);
}

const EXCLUDED: ReadonlySet<string> = new Set(["node_modules", "target", "dist", "build", "venv"]);

async function walkFiles(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const directories = [""];
  for (const directory of directories) {
    if (files.length >= MAX_FILES || directories.length >= MAX_FILES) break;
    // Breadth first, so that the limit drops the deepest files.
    for (const entry of await entriesOf(join(root, directory))) {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      const isExcluded = entry.name.startsWith(".") || EXCLUDED.has(entry.name);
      if (entry.isDirectory() && !isExcluded) directories.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files.slice(0, MAX_FILES);
}

async function entriesOf(directory: string): ReturnType<typeof readEntries> {
  try {
    return await readEntries(directory);
  } catch (error) {
    // Not readable, or removed meanwhile.
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
