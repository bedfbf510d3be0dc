import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseTree, type TreeEntry } from "../../tree/parse-tree.ts";
import { type Repository, runOrThrow, SMALL_OUTPUT } from "./repository.ts";
import { runGit } from "./run-git.ts";

const MAX_ENTRY_BYTES = 400;

/** Whether an object is a commit, and not a tag or a tree. */
export async function isCommit({ git, limits }: Repository, oid: string): Promise<boolean> {
  const { status, output } = await runGit(git, {
    command: ["cat-file", "-t", oid],
    timeoutMs: limits.localTimeoutMs,
    maxOutputBytes: SMALL_OUTPUT,
  });
  return status === 0 && output.toString("utf8").trim() === "commit";
}

export async function isAncestor(
  { git, limits }: Repository,
  ancestor: string,
  of: string,
): Promise<boolean> {
  const { status } = await runGit(git, {
    command: ["merge-base", "--is-ancestor", ancestor, of],
    timeoutMs: limits.localTimeoutMs,
    maxOutputBytes: SMALL_OUTPUT,
  });
  return status === 0;
}

/** The entries of one directory; a reason instead when it has too many, or git cannot read it. */
export async function listTree(
  { git, limits }: Repository,
  tree: string,
  maxEntries: number,
): Promise<readonly TreeEntry[] | "too-many" | "damaged"> {
  const { status, output, stopped } = await runGit(git, {
    command: ["ls-tree", "-z", "-l", tree],
    timeoutMs: limits.localTimeoutMs,
    maxOutputBytes: maxEntries * MAX_ENTRY_BYTES,
  });
  if (stopped === "output") return "too-many";
  const entries = status === 0 ? parseTree(output) : undefined;
  if (entries === undefined) return "damaged";
  return entries.length > maxEntries ? "too-many" : entries;
}

/** The contents of blobs whose sizes were checked. */
export async function readBlobs(
  { git, limits }: Repository,
  blobs: readonly { readonly oid: string; readonly bytes: number }[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (blobs.length === 0) return new Map();
  const unique = [...new Map(blobs.map((blob) => [blob.oid, blob.bytes]))];
  const expected = unique.reduce((sum, [, bytes]) => sum + bytes + 200, 0);
  const output = await runOrThrow(git, {
    command: ["cat-file", "--batch", "--buffer"],
    input: unique.map(([oid]) => `${oid}\n`).join(""),
    timeoutMs: limits.localTimeoutMs,
    maxOutputBytes: expected,
  });
  return parseBatch(output);
}

function parseBatch(output: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  let at = 0;
  while (at < output.length) {
    const lineEnd = output.indexOf(10, at);
    const [oid = "", type, size] = output.subarray(at, lineEnd).toString("latin1").split(" ");
    at = lineEnd + 1;
    if (type !== "blob") continue;
    found.set(oid, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** Stores texts as blobs, and returns their ids. */
export async function writeBlobs(
  { git, limits }: Repository,
  texts: readonly string[],
): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const directory = join(git.directory, "outgoing");
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  try {
    const paths = texts.map((_text, index) => join(directory, String(index)));
    for (const [index, path] of paths.entries())
      writeFileSync(path, texts[index] ?? "", { mode: 0o600, flag: "wx" });
    const output = await runOrThrow(git, {
      command: ["hash-object", "-w", "--no-filters", "--stdin-paths"],
      input: texts.map((_text, index) => `outgoing/${index}\n`).join(""),
      timeoutMs: limits.localTimeoutMs,
      maxOutputBytes: texts.length * 100,
    });
    return output.toString("utf8").trim().split("\n");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export interface NewTreeEntry {
  readonly mode: "100644" | "040000";
  readonly oid: string;
  readonly name: string;
}

/** Stores trees, and returns their ids. */
export async function writeTrees(
  { git, limits }: Repository,
  trees: readonly (readonly NewTreeEntry[])[],
): Promise<readonly string[]> {
  const input = trees
    .map((entries) =>
      entries
        .map(
          ({ mode, oid, name }) =>
            `${mode} ${mode === "040000" ? "tree" : "blob"} ${oid}\t${name}\0`,
        )
        .join(""),
    )
    .map((tree) => `${tree}\0`)
    .join("");
  const output = await runOrThrow(git, {
    command: ["mktree", "-z", "--batch"],
    input,
    timeoutMs: limits.localTimeoutMs,
    maxOutputBytes: trees.length * 100,
  });
  return output.toString("utf8").trim().split("\n");
}
