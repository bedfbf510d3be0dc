import type { Tool } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { renderResult } from "../../../client/result-text.ts";
import type { NamedTool } from "../../../client/tool-names.ts";
import type { ManagedServer } from "../managed-server.ts";
import { callServer } from "./call-server.ts";

/** A tool of a server for the model. The server's claim that it is read-only is not trusted. */
export function createServerTool({ name, tool }: NamedTool, managed: ManagedServer): Tool {
  const { server } = managed;
  const isMemory = server.tier === "memory" && server.memoryTool === tool.name;
  const description = tool.description || `A tool of the MCP server ${server.name}.`;
  return {
    name,
    description: isMemory ? `Memory of the server ${server.name}. ${description}` : description,
    permission: `mcp.${server.name}`,
    isReadOnly: false,
    inputSchema: tool.inputSchema,
    run: async (input, context) => {
      if (!isRecord(input)) return { text: `${name} requires an object as input.`, isError: true };
      return await callServer(managed, context, async (connection, limits) =>
        renderResult(server.name, await connection.call({ name: tool.name, input }, limits)),
      );
    },
  };
}
