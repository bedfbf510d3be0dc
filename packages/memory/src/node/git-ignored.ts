import { dirname, join, relative, sep } from "node:path";
import { readTextFile } from "@caliban/common/node";
import type { Ignore } from "ignore";

const MAX_IGNORE_BYTES = 256 * 1024;

/** A test whether git ignores a file of a workspace. The matcher and the files are read on first use. */
export function createGitIgnoreTest(workspaceRoot: string): (path: string) => Promise<boolean> {
  const matchers = new Map<string, Promise<Ignore | undefined>>();
  const matcherOf = async (file: string): Promise<Ignore | undefined> => {
    const known = matchers.get(file) ?? readMatcher(file);
    matchers.set(file, known);
    return await known;
  };
  return async (path) => {
    let isIgnored = false;
    for (const { base, file } of ignoreFiles(workspaceRoot, path)) {
      // The nearest file has the last word, so they are asked in order.
      // oxlint-disable-next-line no-await-in-loop
      const matcher = await matcherOf(file);
      const answer = matcher?.test(relative(base, path).split(sep).join("/"));
      if (answer?.ignored === true) isIgnored = true;
      if (answer?.unignored === true) isIgnored = false;
    }
    return isIgnored;
  };
}

function ignoreFiles(
  workspaceRoot: string,
  path: string,
): readonly { readonly base: string; readonly file: string }[] {
  const directories: string[] = [];
  for (let current = dirname(path); current.startsWith(workspaceRoot); current = dirname(current)) {
    directories.unshift(current);
    if (current === workspaceRoot || dirname(current) === current) break;
  }
  return [
    { base: workspaceRoot, file: join(workspaceRoot, ".git", "info", "exclude") },
    ...directories.map((base) => ({ base, file: join(base, ".gitignore") })),
  ];
}

async function readMatcher(file: string): Promise<Ignore | undefined> {
  const found = await readTextFile(file, MAX_IGNORE_BYTES);
  if (found.kind !== "text") return undefined;
  const { default: ignore } = await import("ignore");
  return ignore({ ignorecase: false }).add(found.text);
}
