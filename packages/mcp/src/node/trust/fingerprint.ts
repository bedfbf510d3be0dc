import { createHash } from "node:crypto";
import type { McpServer } from "../../client/mcp-server.ts";
import type { ResolvedServer } from "../../trust/server-entry.ts";

/**
 * The canonical text of a settings entry. Stored approvals depend on it, so its format never changes. Of the user's
 * variables it contains only the names, because their values differ from terminal to terminal.
 */
export function entryText(
  server: Omit<McpServer, "fingerprint">,
  details: Pick<ResolvedServer, "setVariables" | "passedVariables" | "timeoutSeconds">,
): string {
  const { name, transport, tier, memoryTool } = server;
  const target =
    transport.kind === "stdio"
      ? [transport.kind, transport.command, transport.args, transport.cwd]
      : [transport.kind, transport.url];
  const variables = Object.entries(details.setVariables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    1,
    name,
    target,
    variables,
    details.passedVariables.toSorted(),
    tier ?? null,
    memoryTool ?? null,
    details.timeoutSeconds,
  ]);
}

/** SHA-256 in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
