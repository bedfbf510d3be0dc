import { createHash } from "node:crypto";
import type { McpServer } from "../../client/mcp-server.ts";
import type { ResolvedServer } from "../../trust/resolved-server.ts";

/** What an entry is, as one text: of the person's variables only the names, because their texts change with every terminal. */
export function entryText(
  server: Omit<McpServer, "fingerprint">,
  more: Pick<ResolvedServer, "setVariables" | "passedVariables" | "timeoutSeconds">,
): string {
  const { name, transport, tier, memoryTool } = server;
  const way =
    transport.kind === "stdio"
      ? [transport.kind, transport.command, transport.args, transport.cwd]
      : [transport.kind, transport.url];
  const variables = Object.entries(more.setVariables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    1,
    name,
    way,
    variables,
    more.passedVariables.toSorted(),
    tier ?? null,
    memoryTool ?? null,
    more.timeoutSeconds,
  ]);
}

/** SHA-256 in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
