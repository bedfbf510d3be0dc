import { nearest, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { ConfiguredServers } from "@caliban/mcp/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { resolveProjectServers } from "../../project/mcp-servers.ts";
import { openProject } from "../../project/project.ts";
import { renderSettingsWarnings } from "../warnings.ts";

/** The servers of a project, with warnings about its settings. */
export interface ProjectServers extends ConfiguredServers {
  /** For stderr. */
  readonly warnings: string;
}

export async function openConfiguredServers(invocation: Invocation): Promise<ProjectServers> {
  const project = await openProject(invocation);
  return {
    ...resolveProjectServers(project),
    warnings: renderSettingsWarnings(project.settings.warnings),
  };
}

/** The result for a name that no server has, with the most similar one. */
export function serverNotFound(
  { json }: Invocation,
  name: string,
  { known, warnings }: { readonly known: readonly string[]; readonly warnings: string },
): CommandResult {
  const similar = nearest(name, known);
  const hint =
    similar === undefined
      ? "; to see all of them, run: caliban mcp list"
      : `; did you mean '${terminalSafeLine(similar)}'?`;
  return {
    stdout: json ? `${terminalSafeJson({ found: false, name, nearest: similar })}\n` : "",
    stderr: `${warnings}caliban: no such MCP server: ${terminalSafeLine(JSON.stringify(name))}${hint}\n`,
    exitCode: EXIT.nothingFound,
  };
}
