import { pathStyleOf } from "@caliban/common";
import { checkArguments } from "../../check-arguments.ts";
import { findWorkspaceMentions } from "../../project/workspace-mentions.ts";
import { gitRemotes } from "./git-files.ts";
import { type OpenProjectHomeInput, resolveProjectRequest } from "./home.ts";
import { resolveProjectPath } from "./worktree.ts";

export interface WorkspaceMentionsInput extends Omit<OpenProjectHomeInput, "forWriting"> {
  readonly text: string;
}

/**
 * Finds the parts of a text that name a workspace, by its path or its remote. Such a text must not become memory about the
 * user, which every project gets.
 *
 * @example
 * import { workspaceMentions } from "@caliban/memory/node";
 *
 * const workspace = process.cwd();
 * console.log(await workspaceMentions({ workspace, text: `Build in ${workspace}.` })); // [ workspace ]
 */
export async function workspaceMentions(input: WorkspaceMentionsInput): Promise<readonly string[]> {
  checkArguments("workspaceMentions", input, { text: "string" });
  const { workspace, platform, home } = await resolveProjectRequest(input);
  const { path } = resolveProjectPath(workspace);
  return findWorkspaceMentions(input.text, {
    paths: [...new Set([workspace.root, path])],
    remotes: [...new Set([workspace.root, path].flatMap(gitRemotes))],
    home,
    style: pathStyleOf(platform),
  });
}
