import type { JsonSchema, Tool, ToolResult } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { callServer } from "./call-server.ts";
import type { Connection, RequestLimits } from "../connection.ts";
import { framed, renderContents } from "../../../client/result-text.ts";
import type { ManagedServer } from "../managed-server.ts";
import { toolName } from "../../../client/tool-names.ts";
import { sanitizeLine } from "../../../client/untrusted.ts";

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

const MOST_LISTED = 200;
const LINE_CHARACTERS = 300;

/** The name of the tool that a tier is looked at with. */
export function memoryToolName(server: string): string {
  return toolName(server, "memory");
}

/** Whether the resources of a server are a tier that is looked at with a tool of ours. */
export function hasMemoryTool({ server }: Pick<ManagedServer, "server">): boolean {
  return server.tier === "memory" && server.memoryTool === undefined;
}

/** The fourth tier: the resources of a server, listed and read when the model asks, and never before. */
export function createMemoryTool(link: ManagedServer): Tool {
  const { name } = link.server;
  const tool = memoryToolName(name);
  return {
    name: tool,
    description: `Memory that the MCP server ${name} keeps: lists what there is, or gives one of them by its uri.`,
    permission: `mcp.${name}`,
    isReadOnly: false,
    inputSchema: INPUT_SCHEMA,
    run: async (input, context) => {
      const uri = isRecord(input) ? input["uri"] : undefined;
      if (uri !== undefined && (typeof uri !== "string" || uri === "")) {
        return { text: `${tool} takes a uri from its list, or nothing.`, isError: true };
      }
      return await callServer(link, context, (connection, limits) =>
        uri === undefined
          ? listMemories(name, connection)
          : readMemory(name, { connection, uri, limits }),
      );
    },
  };
}

async function listMemories(name: string, connection: Connection): Promise<ToolResult> {
  const { pages, isCut } = connection.offers("resources")
    ? await connection.list("resources", (items) => ({
        count: items.length,
        lines: items.slice(0, MOST_LISTED).map(memoryLine),
      }))
    : { pages: [], isCut: false };
  const lines = pages.flatMap((page) => page.lines).slice(0, MOST_LISTED);
  const more = pages.reduce((sum, { count }) => sum + count, 0) - lines.length;
  const rest =
    more > 0 || isCut ? [`(${isCut ? "at least " : ""}${more} more are not listed)`] : [];
  return framed(name, [...lines, ...rest].join("\n") || "(no memories)", false);
}

async function readMemory(
  name: string,
  {
    connection,
    uri,
    limits,
  }: { readonly connection: Connection; readonly uri: string; readonly limits: RequestLimits },
): Promise<ToolResult> {
  return renderContents(name, await connection.read(uri, limits));
}

function memoryLine(item: unknown): string {
  const field = (key: string): string => {
    const value = isRecord(item) ? item[key] : undefined;
    return typeof value === "string" ? sanitizeLine(value, LINE_CHARACTERS) : "";
  };
  const words = [field("title") || field("name"), field("description")].filter(
    (text) => text !== "",
  );
  return `${field("uri") || "(without an address)"} ${words.join(": ")}`.trim();
}
