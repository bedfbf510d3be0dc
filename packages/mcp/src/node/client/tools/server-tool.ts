import type { Tool } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { callServer } from "./call-server.ts";
import { renderResult } from "../../../client/result-text.ts";
import type { ManagedServer } from "../managed-server.ts";
import type { NamedTool } from "../../../client/tool-names.ts";

/** A tool of a server for the model. What the server says about its harmlessness is not relied on. */
export function createServerTool({ name, tool }: NamedTool, link: ManagedServer): Tool {
  const { server } = link;
  const isMemory = server.tier === "memory" && server.memoryTool === tool.name;
  const said = tool.description || `A tool of the MCP server ${server.name}.`;
  return {
    name,
    description: isMemory ? `Memory that the server ${server.name} keeps. ${said}` : said,
    permission: `mcp.${server.name}`,
    isReadOnly: false,
    inputSchema: tool.inputSchema,
    run: async (input, context) => {
      if (!isRecord(input)) return { text: `${name} takes an object.`, isError: true };
      return await callServer(link, context, async (connection, limits) =>
        renderResult(server.name, await connection.call({ name: tool.name, input }, limits)),
      );
    },
  };
}
