import { terminalSafeLine } from "@caliban/common";
import { type ApprovedServers, approveServers } from "@caliban/mcp/node";
import { type ConfineProgram, createProgramSandbox } from "@caliban/tools-builtin/node";
import type { Project } from "../project/project.ts";
import { createSandboxSettings } from "../project/sandbox-settings.ts";
import { secretVariables } from "../project/secret-variables.ts";
import type { Hook } from "./hook.ts";
import { configuredHooks, ownHooks, requestedHooks, unusableReason } from "./resolve-hooks.ts";

export interface OpenedHooks {
  /** The user's own first, then those of the repository that are approved. */
  readonly hooks: readonly Hook[];
  /** Why a hook of the repository does not run, one line each. */
  readonly problems: readonly string[];
}

/** Finds the hooks that may run in a conversation. Starts nothing and asks nothing. */
export async function openHooks(project: Project): Promise<OpenedHooks> {
  const { host, settings } = project;
  // A hook could look for them in this process.
  await host.hideVariables(secretVariables(settings));
  const own = ownHooks(project);
  if (settings.requestedHooks.length === 0) return { hooks: own, problems: [] };
  const approved = await approveServers({
    ...requestedHooks(project),
    approveHint: (name) => `Run: ${host.command(`hooks approve ${name}`)}`,
  });
  const unusable = configuredHooks(project).flatMap((hook) => {
    const reason = hook.settings.enabled === false ? undefined : unusableReason(hook);
    if (!hook.isRequested || reason === undefined) return [];
    return [`hook ${hook.name}: requested by ${hook.source} but cannot be used: ${reason}`];
  });
  return {
    hooks: [...own, ...confinedHooks(project, approved)],
    problems: [
      ...approved.diagnostics.map(({ server, message }) => `hook ${server}: ${message}`),
      ...unusable,
    ].map(terminalSafeLine),
  };
}

/** Right before each run, what was approved is checked again. Without a sandbox it does not run. */
function confinedHooks(project: Project, { servers }: ApprovedServers): readonly Hook[] {
  const confine = createConfinement(project);
  return servers.flatMap(({ server, timeoutSeconds, recheck }) => {
    const { name, transport } = server;
    const requested = project.settings.requestedHooks.find((hook) => hook.name === name);
    if (transport.kind !== "stdio" || requested === undefined) return [];
    const { matcher } = requested.settings;
    const prepare: Hook["prepare"] = async () => {
      const reason = await recheck?.();
      return reason === undefined ? await confine(transport) : { reason };
    };
    const event = "PreToolUse" as const;
    return { name, event, matcher, timeoutSeconds, isRequested: true, prepare };
  });
}

/** No network and nothing to write, whatever the settings let commands of the agent do. */
function createConfinement(project: Project): ConfineProgram {
  const { environment, workspace } = project;
  let confine: Promise<ConfineProgram> | undefined;
  const open = async (): Promise<ConfineProgram> => {
    const home = await project.home();
    const memoryDirectory = home && (await project.topics()).directory;
    const memory = { memoryDirectory, projectHome: home?.home };
    const sandbox = createSandboxSettings({ project, memory, skills: [] });
    return createProgramSandbox(
      {
        ...environment,
        root: workspace.root,
        memoryDirectory,
        sandbox: { ...sandbox, allowedHosts: [], writablePaths: [] },
      },
      { isRequired: true },
    );
  };
  return async (program) => await (await (confine ??= open()))(program);
}
