import { join, resolve } from "node:path";
import { readTextFile } from "@caliban/common/node";

const MAX_BYTES = 4096;
const MAX_CHARACTERS = 40;

/** The branch of the repository whose root this is, or the beginning of its commit. Reads two small files, without Git. */
export function gitBranch(root: string): string | undefined {
  const git = join(root, ".git");
  const head = read(join(git, "HEAD")) ?? read(join(worktreeDirectory(root, git), "HEAD")) ?? "";
  const branch = /^ref: refs\/heads\/(\S+)$/.exec(head)?.[1];
  const name = branch ?? /^[\da-f]{7}(?=[\da-f]{33,}$)/.exec(head)?.[0];
  if (name === undefined || name.length <= MAX_CHARACTERS) return name;
  return `${name.slice(0, MAX_CHARACTERS - 1)}…`;
}

/** In an additional worktree, `.git` is a file that names the directory. */
function worktreeDirectory(root: string, git: string): string {
  return resolve(root, /^gitdir: (.+)$/.exec(read(git) ?? "")?.[1] ?? ".git");
}

function read(path: string): string | undefined {
  const file = readTextFile(path, MAX_BYTES);
  return file.kind === "text" ? file.text.trim() : undefined;
}
