import { abbreviateHome, pathStyleOf, userDirectories } from "@caliban/common";
import {
  type ApprovedServers,
  approveServers,
  type AskApproval,
  type ConfiguredServers,
  createServerPool,
  type OpenedServers,
  recordedMemoryServers,
  resolveServers,
  type ServerEntry,
} from "@caliban/mcp/node";
import type { MemoryServer } from "@caliban/memory";
import { type ConfineProgram, createProgramSandbox } from "@caliban/tools-builtin/node";
import { redactedTexts } from "@caliban/settings";
import type { Project } from "./project.ts";
import { createSandboxSettings } from "./sandbox-settings.ts";
import { secretVariables } from "./secret-variables.ts";

/** Resolves the servers that the settings of a project configure. Starts nothing and reads nothing from disk. */
export function resolveProjectServers(project: Project): ConfiguredServers {
  const { environment, workspace, settings } = project;
  return resolveServers({
    ...environment,
    workspaceRoot: workspace.root,
    entries: serverEntries(project),
    protectedVariables: secretVariables(settings),
    redact: redactedTexts,
  });
}

function serverEntries({ settings, environment }: Project): readonly ServerEntry[] {
  const { platform, home } = environment;
  const shown = (path: string): string => abbreviateHome(pathStyleOf(platform), path, home);
  const setting = settings.effective.find(({ key }) => key === "mcp.servers");
  const source = shown(setting?.origins.at(-1)?.where ?? "settings");
  const own = Object.entries(settings.trusted["mcp.servers"]);
  return [
    ...own.map(([name, config]) => ({ name, config, source, isRequested: false })),
    ...settings.requestedServers.map(({ name, settings: config, path: where }) => ({
      name,
      config,
      source: shown(where),
      isRequested: true,
    })),
  ];
}

/** Finds the servers that a conversation may use. Without `ask`, unapproved requests are left out. */
export async function openProjectServers(
  project: Project,
  ask: AskApproval | undefined,
): Promise<OpenedServers> {
  const { host, workspace } = project;
  const { version, now, onExit } = host;
  await hideKeysFromServers(project);
  return {
    ...(await approveProjectServers(project, ask)),
    createPool: (input) =>
      createServerPool({
        ...input,
        confine: confineServers(project),
        version,
        now,
        onExit,
        stateDirectory: userDirectories(host).state,
        workspaceRoot: workspace.root,
        failureHint: "The user can see the problem with /mcp.",
      }),
  };
}

/** The memory tier of servers as recorded by the last run. Starts nothing and asks nothing. */
export async function lastKnownMemoryServers(project: Project): Promise<readonly MemoryServer[]> {
  const { host, workspace } = project;
  const { servers } = await approveProjectServers(project);
  return await recordedMemoryServers({
    servers,
    stateDirectory: userDirectories(host).state,
    workspaceRoot: workspace.root,
    nowMs: host.now(),
  });
}

async function approveProjectServers(
  project: Project,
  ask?: AskApproval,
): Promise<ApprovedServers> {
  return await approveServers({
    ...resolveProjectServers(project),
    ask,
    approveHint: (name) => `Run: ${project.host.command(`mcp approve ${name}`)}`,
  });
}

/** Confines the servers that the repository requests. */
function confineServers(project: Project): ConfineProgram {
  const { environment, workspace } = project;
  let confine: Promise<ConfineProgram> | undefined;
  const open = async (): Promise<ConfineProgram> => {
    const home = await project.home();
    const memoryDirectory = home && (await project.topics()).directory;
    const memory = { memoryDirectory, projectHome: home?.home };
    return createProgramSandbox({
      ...environment,
      root: workspace.root,
      memoryDirectory,
      sandbox: createSandboxSettings({ project, memory, skills: [] }),
    });
  };
  return async (program) => await (await (confine ??= open()))(program);
}

/** Keeps the keys of model providers from every server, which could look for them in this process. */
async function hideKeysFromServers({ host, settings }: Project): Promise<void> {
  await host.hideVariables(secretVariables(settings));
}
