import { nearest, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { createServerApprovals, type KeptServers } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { openProject } from "../../project/project.ts";
import { EXIT } from "../../exit-code.ts";
import { renderSettingsWarnings } from "../../render/warnings.ts";
import { resolveServers, type ResolvedServers } from "../../../../../packages/mcp/src/node/trust/resolve-servers.ts";

/** Every server that the settings of a workspace speak of, and what was approved there. */
export interface ConfiguredServers extends ResolvedServers {
  readonly workspaceRoot: string;
  readonly approvals: KeptServers;
  /** What is wrong with the settings, for stderr. */
  readonly warnings: string;
}

/** The servers of the directory that a command is about. */
export async function openConfigured(invocation: Invocation): Promise<ConfiguredServers> {
  const { environment, workspace, settings } = await openProject(invocation);
  const place = { ...environment, workspaceRoot: workspace.root };
  return {
    ...resolveServers({ ...place, settings }),
    workspaceRoot: workspace.root,
    approvals: createServerApprovals(place),
    warnings: renderSettingsWarnings(settings.warnings),
  };
}

/** The answer to a name that no server has, with the one that was likely meant. */
export function serverNotFound(
  { json }: Invocation,
  name: string,
  { known, warnings }: { readonly known: readonly string[]; readonly warnings: string },
): CommandResult {
  const meant = nearest(name, known);
  const hint =
    meant === undefined
      ? " `caliban mcp list` shows them all."
      : ` Did you mean ${terminalSafeLine(meant)}?`;
  return {
    stdout: json ? `${terminalSafeJson({ found: false, name, nearest: meant })}\n` : "",
    stderr: `${warnings}caliban: there is no MCP server ${terminalSafeLine(JSON.stringify(name))} here.${hint}\n`,
    exitCode: EXIT.nothingFound,
  };
}
