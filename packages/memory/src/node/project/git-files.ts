import { existsSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "@caliban/common/node";
import { parseRemotes, type ProjectRecord } from "../../project/record.ts";

const MAX_CONFIG_BYTES = 256 * 1024;

/** The remotes of a repository, read without running git. */
export function gitRemotes(directory: string): readonly string[] {
  const config = readTextFile(join(directory, ".git", "config"), MAX_CONFIG_BYTES);
  return config.kind === "text" ? parseRemotes(config.text) : [];
}

/** Whether files alone show that a repository is the recorded one: it has the same remotes, or the root commit. */
export function looksLikeRepository(
  directory: string,
  { remotes, rootCommits }: Pick<ProjectRecord, "remotes" | "rootCommits">,
): boolean {
  const own = gitRemotes(directory);
  if (own.length > 0 && own.join("\n") === remotes.join("\n")) return true;
  const [commit = ""] = rootCommits;
  const object = join(".git", "objects", commit.slice(0, 2), commit.slice(2));
  return COMMIT.test(commit) && existsSync(join(directory, object));
}

/** An object id. */
export const COMMIT: RegExp = /^[0-9a-f]{40,64}$/;
