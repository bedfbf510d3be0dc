import { abbreviateHome, pathStyleOf, userDirectories } from "@caliban/common";
import {
  type ApprovedServers,
  approveServers,
  type AskApproval,
  createRecordStore,
  createServerApprovals,
  createServerPool,
  memoryServer,
  type ResolvedServers,
  resolveServers,
  type ServerApprovals,
  type ServerDiagnostic,
  type ServerEntry,
  type ServerPool,
} from "@caliban/mcp/node";
import type { MemoryServer } from "@caliban/memory";
import { type ConfineProgram, createProgramSandbox } from "@caliban/tools-builtin/node";
import { keyVariables } from "@caliban/providers";
import type { Project } from "./project.ts";
import { createSandboxSettings } from "./sandbox-settings.ts";

/** Every server that the settings of a project configure, with its approvals. */
export interface ProjectServers extends ResolvedServers {
  readonly workspaceRoot: string;
  readonly approvals: ServerApprovals;
}

/** Resolves the servers of a project. Starts nothing and reads nothing from disk. */
export function resolveProjectServers(project: Project): ProjectServers {
  const { environment, workspace, settings } = project;
  const location = { ...environment, workspaceRoot: workspace.root };
  const resolved = resolveServers({
    ...location,
    entries: serverEntries(project),
    protectedVariables: keyVariables(settings.trusted.providers),
  });
  return {
    ...resolved,
    workspaceRoot: workspace.root,
    approvals: createServerApprovals(location),
  };
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

/** The servers of a project that may be started. Without `ask`, unapproved requests are left out. */
export async function approveProjectServers(
  project: Project,
  ask?: AskApproval,
): Promise<ApprovedServers> {
  return await approveServers({
    ...resolveProjectServers(project),
    ask,
    approveHint: (name) => `Run: caliban mcp approve ${name}`,
  });
}

export interface ProjectPoolInput {
  readonly report: (diagnostic: ServerDiagnostic) => void;
  /** Whether the user can act on a changed tool list. */
  readonly announceChanges: boolean;
}

/** Creates the servers of a conversation in a project. */
export function createProjectServerPool(project: Project, input: ProjectPoolInput): ServerPool {
  const { host, workspace } = project;
  const { version, now, onExit } = host;
  return createServerPool({
    ...input,
    confine: confineServers(project),
    version,
    now,
    onExit,
    stateDirectory: userDirectories(host).state,
    workspaceRoot: workspace.root,
    failureHint: "The user can see the problem with /mcp.",
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
export async function hideKeysFromServers({ host, settings }: Project): Promise<void> {
  await host.hideVariables(keyVariables(settings.values.providers));
}

/** The memory tier of servers as recorded by the last run. Starts nothing and asks nothing. */
export async function lastKnownMemoryServers(project: Project): Promise<readonly MemoryServer[]> {
  const { host, workspace } = project;
  const store = createRecordStore(userDirectories(host).state, workspace.root);
  const { servers } = await approveProjectServers(project);
  const rows = servers.map(async ({ server }) =>
    memoryServer({
      server,
      state: { kind: "idle" },
      record: await store.read(server),
      offeredTools: 0,
      change: "",
      nowMs: host.now(),
    }),
  );
  return (await Promise.all(rows)).flatMap((row) => row ?? []);
}

/** One line about a server. Slash commands are suggested only where the user can type one. */
export function formatServerDiagnostic(
  { code, server, message }: ServerDiagnostic,
  { isInteractive }: { readonly isInteractive: boolean },
): string {
  const hint = isInteractive ? (SLASH_HINTS[code] ?? "") : "";
  return `mcp: ${server}: ${message}${hint}`;
}

const SLASH_HINTS: Partial<Record<ServerDiagnostic["code"], string>> = {
  SERVER_FAILED: " (/mcp)",
  TOOLS_CHANGED: "; available in the next session, or now with /mcp reload",
};
