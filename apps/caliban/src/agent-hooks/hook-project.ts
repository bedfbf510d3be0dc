import { findWorkspace } from "@caliban/memory/node";
import { loadSettings } from "@caliban/settings/node";
import type { Invocation } from "../command.ts";
import type { Project } from "../project/project.ts";
import { UsageError } from "../usage-error.ts";

/** What hooks need of a project. Opening it reads the settings, and loads nothing that the rest of a project needs. */
export type HookProject = Pick<
  Project,
  "host" | "options" | "environment" | "workspace" | "settings" | "topics"
>;

/** Opens the project of a directory. */
export async function openHookProject(
  invocation: Invocation,
  directory: string | undefined,
): Promise<HookProject> {
  const { host, additionalDirectories, bare, memory, permissions } = invocation;
  const start = directory ?? host.cwd;
  if (start === undefined) throw new UsageError("the current directory no longer exists");
  const workspace = await findWorkspace(start);
  const { env, platform, home, native } = host;
  const environment = { env, platform, home, native };
  const settings = await loadSettings({ ...environment, workspaceRoot: workspace.root });
  return {
    host,
    options: { workspace: directory, additionalDirectories, bare, memory, permissions },
    environment,
    workspace,
    settings,
    topics: async (access) => {
      const { projectTopics } = await import("../project/topics.ts");
      return await projectTopics({ host, environment, workspace, settings })(access);
    },
  };
}
