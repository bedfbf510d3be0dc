import { resolveSystemPrompt, type SystemPrompt } from "@caliban/agent-core";
import type { MemoryPrefix, MemorySettings } from "@caliban/memory";
import { findWorkspace, loadMemory, type Workspace } from "@caliban/memory/node";
import { type LoadedSettings, loadSettings } from "@caliban/settings/node";
import type { Invocation } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** A workspace with the settings that hold in it. */
export interface Session {
  readonly workspace: Workspace;
  readonly settings: LoadedSettings;
}

/** The first half of the way: directory, then settings. */
export async function openSession({ host, workspace }: Invocation): Promise<Session> {
  const directory = workspace ?? host.cwd;
  if (directory === undefined) {
    throw new UsageError(
      "the current directory no longer exists; change to another one, or name one with --workspace",
    );
  }
  const found = await findWorkspace(directory);
  const settings = await loadSettings({ ...host, workspaceRoot: found.root });
  return { workspace: found, settings };
}

/** The second half: tiers, budget, prefix and receipt. */
export async function loadSessionMemory(
  { host }: Invocation,
  session: Session,
): Promise<MemoryPrefix> {
  const { env, platform, home } = host;
  return await loadMemory({
    directory: session.workspace.startDirectory,
    env,
    platform,
    home,
    settings: memorySettings(session.settings),
  });
}

/** The prompt of a session, exactly as a model gets it. */
export function composePrompt(
  { host }: Invocation,
  { workspace }: Session,
  { prefix }: MemoryPrefix,
): SystemPrompt {
  return resolveSystemPrompt({
    memoryPrefix: prefix,
    cwd: workspace.startDirectory,
    platform: host.platform,
    tools: [],
  });
}

/** A cap on CLAUDE.md that only the repository asked for must not cut the person's own global file. */
function memorySettings({ values, trusted }: LoadedSettings): Partial<MemorySettings> {
  return {
    autoMemory: values["memory.auto"],
    directory: values["memory.directory"],
    ceilingTokens: values["memory.cap_tokens_combined"],
    capTokensAuto: values["memory.cap_tokens_auto"],
    capTokensClaudeMd: trusted["memory.cap_tokens_claude_md"],
    capTokensProject: values["memory.cap_tokens_claude_md"],
    excludes: values.claude_md_excludes,
  };
}
