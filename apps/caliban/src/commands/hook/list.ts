import { findWorkspace } from "@caliban/memory/node";
import { HOOK_AGENTS, type HookAgent } from "../../agent-hooks/hook-event.ts";
import { AGENT_TARGETS, type HookScope } from "../../agent-hooks/install/agent-targets.ts";
import { readConfigFile } from "../../agent-hooks/install/config-file.ts";
import { hookFile, installedHooks } from "../../agent-hooks/install/plan-change.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import { output } from "../memory/output.ts";
import { renderRows } from "../render-rows.ts";
import { displayPath } from "../user-paths.ts";

/** A file that may have hooks of caliban. */
export interface FoundHooks {
  readonly agent: HookAgent;
  readonly scope: HookScope;
  readonly path: string;
  /** The events with a hook of caliban, or `plugin`; empty if there is none. */
  readonly events: readonly string[];
  /** Why the file cannot be read. */
  readonly problem?: string;
}

/** Looks for hooks of caliban in the configuration of every agent. Without a home directory, only in the workspace. */
export async function findAgentHooks({
  host,
  workspace,
}: Pick<Invocation, "host" | "workspace">): Promise<readonly FoundHooks[]> {
  const { env, home } = host;
  const { root } = await findWorkspace(workspace ?? host.cwd ?? "/");
  const scopes: readonly HookScope[] = home === undefined ? ["project"] : ["user", "project"];
  return HOOK_AGENTS.flatMap((agent) =>
    scopes.map((scope): FoundHooks => {
      const target = AGENT_TARGETS[agent];
      const path = hookFile(target, { env, home: home ?? "/", root }, scope);
      const file = readConfigFile(path);
      if ("problem" in file) return { agent, scope, path, events: [], problem: file.problem };
      return { agent, scope, path, events: installedHooks(target, file) };
    }),
  );
}

/** `caliban hook`: where hooks for other agents are installed. */
export async function listAgentHooks(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const hooks = await findAgentHooks(invocation);
  const shown = hooks.filter(({ events, problem }) => events.length > 0 || problem !== undefined);
  const rows = shown.map(({ agent, scope, path, events, problem }) => [
    agent,
    scope,
    `${displayPath(host, path)}: ${problem ?? events.join(", ")}`,
  ]);
  const install = host.command("hook install AGENT");
  return output(invocation, {
    data: { hooks: shown },
    text: rows.length === 0 ? "" : renderRows(rows, host),
    stderr: [
      ...(rows.length === 0
        ? [`no hooks installed; agents are ${HOOK_AGENTS.join(", ")}. Install with: ${install}`]
        : []),
      ...(invocation.json
        ? []
        : [`your own hooks in caliban are listed by: ${host.command("hooks")}`]),
    ],
  });
}
