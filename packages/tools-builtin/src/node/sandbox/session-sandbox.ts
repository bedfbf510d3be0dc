import type { Notice, SandboxAccess, SandboxRequest } from "@caliban/agent-core";
import { commandNeeds } from "../../sandbox/command-needs.ts";
import type { DeniedAccess } from "../../sandbox/denied-access.ts";
import { findDiscarding } from "../../sandbox/discarding-commands.ts";
import type { SandboxNetwork } from "../../sandbox/sandbox-policy.ts";
import type { DirectoryLister } from "../protection/directory-lister.ts";
import type { ProtectedRealPath } from "../protection/protected-paths.ts";
import type { SandboxSettings, ToolWorkspace } from "../tool-workspace.ts";
import { type CommandSandbox, createCommandSandbox } from "./command-sandbox.ts";
import { findSandbox, type FoundSandbox } from "./find-sandbox.ts";
import { createSessionFiles } from "./session-files.ts";

/** The sandbox of a session, opened with its first command. */
export interface SessionSandbox {
  readonly settings: SandboxSettings;
  /** Describes how a command would be confined. Reports once if there is no sandbox. */
  readonly requestFor: (
    command: string,
    notify: (notice: Notice) => void,
  ) => Promise<SandboxRequest | undefined>;
  /** Confines commands, or says why it cannot. */
  readonly open: () => Promise<CommandSandbox | { readonly reason: string }>;
  /** Remembers that a command did not have enough access, so that repeating it asks for more. */
  readonly recordDenied: (command: string, denied: DeniedCommand) => void;
}

interface DeniedCommand {
  readonly access: Exclude<SandboxAccess, "outside">;
  readonly denied: DeniedAccess;
}

export interface SessionSandboxInput {
  readonly workspace: ToolWorkspace;
  readonly settings: SandboxSettings;
  readonly protectedPaths: () => readonly ProtectedRealPath[];
  readonly directories: DirectoryLister;
}

/** Creates the sandbox of a session. Nothing is looked for before the first command. */
export function createSessionSandbox(input: SessionSandboxInput): SessionSandbox {
  const { settings } = input;
  const neededAccess = new Map<string, SandboxAccess>();
  let isReported = false;
  let opened: Promise<OpenedSandbox> | undefined;
  const open = async (): Promise<OpenedSandbox> => await (opened ??= openSandbox(input));
  return {
    settings,
    requestFor: async (command, notify) => {
      const { found, sandbox } = await open();
      if (sandbox === undefined) {
        if (!isReported && found.kind === "none") notify(missingNotice(found, settings));
        isReported = true;
        return settings.mode === "on" ? NOTHING_CAN_RUN : undefined;
      }
      const hasNetwork = (settings.allowedHosts ?? []).length > 0;
      return {
        needs: neededAccess.get(command) ?? commandNeeds(command, { hasNetwork }),
        discards: findDiscarding(command),
        canWrite: sandbox.canWrite(),
        canLeave: settings.mode !== "on",
      };
    },
    open: async () => {
      const { found, sandbox } = await open();
      return sandbox ?? { reason: found.kind === "none" ? found.reason : "" };
    },
    recordDenied: (command, { access, denied }) => {
      const isEnough = access === "read-only" && denied === "write";
      neededAccess.set(command, isEnough ? "workspace" : "outside");
    },
  };
}

/** No question helps where commands must be confined and cannot be: the call itself is refused. */
const NOTHING_CAN_RUN: SandboxRequest = { needs: "read-only", canWrite: false, canLeave: false };

interface OpenedSandbox {
  readonly found: FoundSandbox;
  readonly sandbox: CommandSandbox | undefined;
}

async function openSandbox(input: SessionSandboxInput): Promise<OpenedSandbox> {
  const { workspace, settings } = input;
  const { env, platform, root, additionalDirectories } = workspace;
  const allowedHosts = settings.allowedHosts ?? [];
  const found = await findSandbox({
    env,
    platform,
    untrustedDirectories: [root, ...additionalDirectories],
    needsProxy: allowedHosts.length > 0,
  });
  if (found.kind === "none") return { found, sandbox: undefined };
  const files = createSessionFiles(settings);
  const socket = found.kind === "bubblewrap" ? files().proxySocket : undefined;
  const network = await openNetwork(allowedHosts, socket);
  return { found, sandbox: createCommandSandbox({ ...input, sandbox: found, network, files }) };
}

async function openNetwork(
  allowedHosts: readonly string[],
  socket: string | undefined,
): Promise<SandboxNetwork> {
  if (allowedHosts.length === 0) return { kind: "off" };
  const { startProxy } = await import("./host-proxy.ts");
  return await startProxy({ allowedHosts, socket });
}

function missingNotice(
  { reason, remedy }: Extract<FoundSandbox, { readonly kind: "none" }>,
  { mode }: SandboxSettings,
): Notice {
  const effect =
    mode === "on"
      ? 'commands do not run, because [sandbox] mode is "on"'
      : "commands are not confined, and ask first";
  return { kind: "general", message: `sandbox: ${reason}; ${effect}. ${remedy}` };
}
