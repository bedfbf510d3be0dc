import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@caliban/common";
import { errorCode, runUntrustedGit } from "@caliban/common/node";
import type { Host } from "../../../../apps/caliban/src/host.ts";

const MOST_FILES = 20_000;
const MOST_OUTPUT_BYTES = 8 * 1024 * 1024;
const FRESH_MS = 10_000;

/** The files of a workspace for completion, listed again when the last list has grown old. */
export function createFileList(
  root: string,
  { env, now }: Pick<Host, "env" | "now">,
): () => Promise<readonly string[]> {
  let last: { readonly madeAt: number; readonly files: Promise<readonly string[]> } | undefined;
  return async () => {
    if (last === undefined || now() - last.madeAt > FRESH_MS) {
      last = { madeAt: now(), files: listFiles(root, env) };
    }
    return await last.files;
  };
}

/** What git knows and does not ignore; without git, what a walk finds. */
async function listFiles(root: string, env: Environment): Promise<readonly string[]> {
  return (await filesOfGit(root, env)) ?? (await walkedFiles(root));
}

const LISTING = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];

async function filesOfGit(root: string, env: Environment): Promise<readonly string[] | undefined> {
  const { succeeded: isDone, output } = await runUntrustedGit({
    directory: root,
    command: LISTING,
    env,
    maxOutputBytes: MOST_OUTPUT_BYTES,
  });
  if (!isDone) return undefined;
  return output
    .split("\0")
    .filter((file) => file !== "")
    .slice(0, MOST_FILES);
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
