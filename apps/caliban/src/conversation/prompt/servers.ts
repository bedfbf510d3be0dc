import {
  type AskApproval,
  type ConversationServers,
  createConversationServers,
  type OpenedServers,
  type ServerDiagnosticCode,
} from "@caliban/mcp/node";
import type { Project } from "../../project/project.ts";

export interface ProjectServersInput {
  readonly notify: (line: string) => void;
  /** Absent when no one can answer. */
  readonly ask?: AskApproval | undefined;
  /** How long the end of a run without a screen waits for servers whose tools the next run needs. */
  readonly lingerMs?: number | undefined;
}

/** Creates the MCP servers of a conversation. */
export function createProjectServers(input: ProjectServersInput): ConversationServers {
  const isInteractive = (input.lingerMs ?? 0) === 0;
  return createConversationServers({
    ...input,
    format: ({ code, server, message }) =>
      `mcp: ${server}: ${message}${isInteractive ? (SLASH_HINTS[code] ?? "") : ""}`,
  });
}

/** Finds the servers of a project. Without a configured server, no code for them is loaded. */
export async function openServers(
  project: Project,
  ask: AskApproval | undefined,
): Promise<OpenedServers | undefined> {
  const { trusted, requestedServers } = project.settings;
  const names = [...Object.keys(trusted["mcp.servers"]), ...requestedServers];
  if (names.length === 0) return undefined;
  const { openProjectServers } = await import("../../project/mcp-servers.ts");
  return await openProjectServers(project, ask);
}

/** Suggested only where the user can type a slash command. */
const SLASH_HINTS: Partial<Record<ServerDiagnosticCode, string>> = {
  SERVER_FAILED: " (/mcp)",
  TOOLS_CHANGED: "; available in the next session, or now with /mcp reload",
};
