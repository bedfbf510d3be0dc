import type { Connection } from "./connection.ts";
import type { ServerListing } from "../../client/server-record.ts";
import type { McpServer } from "../../client/mcp-server.ts";
import { parseTools } from "../../client/tool-list.ts";

/** What a server offers now, made fit to be kept and shown. @throws ServerFailure */
export async function fetchListing(
  connection: Connection,
  server: McpServer,
  atMs: number,
): Promise<ServerListing> {
  const none = { pages: [], isCut: false };
  const listed = connection.offers("tools") ? await connection.list("tools", parseTools) : none;
  // Once more as a whole: two pages may have the same tool, and too much together.
  const { tools, problems } = parseTools(listed.pages.flatMap((page) => page.tools));
  const endless = listed.isCut ? ["its list of tools has no end that was reached"] : [];
  const memories = isTier(server, connection)
    ? await connection.list("resources", ({ length }) => length)
    : undefined;
  return {
    atMs,
    tools,
    problems: [...endless, ...listed.pages.flatMap((page) => page.problems), ...problems].slice(
      0,
      MOST_PROBLEMS,
    ),
    ...(memories === undefined
      ? {}
      : { memories: memories.pages.reduce((sum, count) => sum + count, 0) }),
  };
}

const MOST_PROBLEMS = 16;

function isTier({ tier, memoryTool }: McpServer, connection: Connection): boolean {
  return tier === "memory" && memoryTool === undefined && connection.offers("resources");
}
