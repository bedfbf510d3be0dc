import { nearest, terminalSafeJson } from "@caliban/common";
import type { ConfiguredServers } from "@caliban/mcp/node";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { resolveProjectServers } from "../../project/mcp-servers.ts";
import { openProject } from "../../project/project.ts";
import { settingsWarnings } from "../warnings.ts";

/** The servers of a project, with warnings about its settings. */
export interface ProjectServers extends ConfiguredServers {
  /** For stderr. */
  readonly warnings: readonly string[];
}

export async function openConfiguredServers(invocation: Invocation): Promise<ProjectServers> {
  const project = await openProject(invocation);
  return {
    ...resolveProjectServers(project),
    warnings: settingsWarnings(invocation.host, project.settings.warnings),
  };
}

/** The result for a name that no server has, with the most similar one. */
export function serverNotFound(
  { host, json }: Invocation,
  name: string,
  { known, warnings }: { readonly known: readonly string[]; readonly warnings: readonly string[] },
): CommandResult {
  const similar = nearest(name, known);
  const hint =
    similar === undefined
      ? `; to see all of them, run: ${host.command("mcp list")}`
      : `; did you mean '${similar}'?`;
  return {
    stdout: json ? `${terminalSafeJson({ found: false, name, nearest: similar })}\n` : "",
    stderr: [...warnings, `no such MCP server: ${JSON.stringify(name)}${hint}`],
    exitCode: EXIT.nothingFound,
  };
}
