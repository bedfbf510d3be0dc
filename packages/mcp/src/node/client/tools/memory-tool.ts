import type { JsonSchema, Tool, ToolResult } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { framed, renderContents } from "../../../client/result-text.ts";
import { toolName } from "../../../client/tool-names.ts";
import { sanitizeLine } from "../../../client/untrusted.ts";
import type { Connection } from "../connection.ts";
import type { ManagedServer } from "../managed-server.ts";
import { callServer } from "./call-server.ts";

const INPUT_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    uri: {
      type: "string",
      description: "The address of one memory, as the list has it. Without it, the list.",
    },
  },
  additionalProperties: false,
};

/** The name of the tool that reads a memory tier. */
export function memoryToolName(server: string): string {
  return toolName(server, "memory");
}

/** Whether the resources of a server are a memory tier, which is read with a tool of ours. */
export function hasMemoryTool({ server }: Pick<ManagedServer, "server">): boolean {
  return server.tier === "memory" && server.memoryTool === undefined;
}

/** The fourth tier: the resources of a server, listed and read only when the model asks. */
export function createMemoryTool(managed: ManagedServer): Tool {
  const { name } = managed.server;
  const tool = memoryToolName(name);
  return {
    name: tool,
    description: `Memory of the MCP server ${name}. Lists the memories, or returns one by its uri.`,
    permission: `mcp.${name}`,
    isReadOnly: false,
    inputSchema: INPUT_SCHEMA,
    run: async (input, context) => {
      const uri = isRecord(input) ? input["uri"] : undefined;
      if (uri !== undefined && (typeof uri !== "string" || uri === ""))
        return { text: `${tool} takes a uri from its list, or nothing.`, isError: true };
      return await callServer(managed, context, async (connection, limits) =>
        uri === undefined
          ? await listMemories(name, connection)
          : renderContents(name, await connection.read(uri, limits)),
      );
    },
  };
}

const MAX_LISTED = 200;

async function listMemories(name: string, connection: Connection): Promise<ToolResult> {
  const { pages, isIncomplete } = connection.offers("resources")
    ? await connection.list("resources", (items) => ({
        count: items.length,
        lines: items.slice(0, MAX_LISTED).map(memoryLine),
      }))
    : { pages: [], isIncomplete: false };
  const lines = pages.flatMap((page) => page.lines).slice(0, MAX_LISTED);
  const more = pages.reduce((sum, { count }) => sum + count, 0) - lines.length;
  const rest =
    more > 0 || isIncomplete ? [`(${isIncomplete ? "at least " : ""}${more} more not listed)`] : [];
  return framed(name, [...lines, ...rest].join("\n") || "(no memories)", false);
}

const MAX_FIELD_CHARACTERS = 300;

function memoryLine(item: unknown): string {
  const field = (key: string): string => {
    const value = isRecord(item) ? item[key] : undefined;
    return typeof value === "string" ? sanitizeLine(value, MAX_FIELD_CHARACTERS) : "";
  };
  const texts = [field("title") || field("name"), field("description")].filter(
    (text) => text !== "",
  );
  return `${field("uri") || "(no address)"} ${texts.join(": ")}`.trim();
}
