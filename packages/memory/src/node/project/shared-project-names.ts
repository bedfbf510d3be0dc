import { command, terminalSafeLine, withCommands } from "@caliban/common";
import { MemoryError } from "../../errors.ts";
import { repositoryNames } from "../../project/shared-names.ts";
import { sha256Hex } from "../sha256-hex.ts";
import { type OpenProjectHomeInput, resolveProjectRequest } from "./home.ts";
import { resolveProjectPath } from "./worktree.ts";

export interface SharedProjectNamesInput extends Pick<
  OpenProjectHomeInput,
  "workspace" | "env" | "platform" | "home"
> {
  /** `[memory] project` of the user's own settings. */
  readonly project?: string | undefined;
}

/**
 * The names of a workspace's project in a store that several machines share: the same in every clone and worktree, at any
 * path. Use the first one that has memory, or the first one.
 *
 * @throws MemoryError `UNKNOWN_PROJECT` without a name in the settings or a repository
 *
 * @example
 * import { sharedProjectNames } from "@caliban/memory/node";
 *
 * const [name] = await sharedProjectNames({ workspace: process.cwd(), project: "shop" });
 * console.log(name); // name:shop
 */
export async function sharedProjectNames(
  input: SharedProjectNamesInput,
): Promise<readonly [string, ...string[]]> {
  const { project, ...request } = { ...input };
  if (project !== undefined) return [`name:${project}`];
  const { workspace, env } = await resolveProjectRequest(request);
  const { path } = resolveProjectPath(workspace);
  const { gitSharedFacts, isShallow } = await import("./git-facts.ts");
  const [isCut, facts] = await Promise.all([isShallow(path, env), gitSharedFacts(path, env)]);
  // The root of a shallow clone is wherever its history was cut.
  if (!isCut && facts !== undefined) return repositoryNames(facts, sha256Hex);
  const shown = terminalSafeLine(path);
  const reason = isCut
    ? `${shown} is a shallow clone. Run: git fetch --unshallow, or`
    : `git finds no commit in ${shown}. Work in a repository that git accepts, or`;
  const message = withCommands`cannot tell which project this is: ${reason} set a name with: ${command("settings set memory.project NAME")}`;
  throw new MemoryError("UNKNOWN_PROJECT", message);
}
