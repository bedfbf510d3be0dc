import type { Connection } from "./connection.ts";
import type { KnownList } from "./known-server.ts";
import type { McpServer } from "./mcp-server.ts";
import { parseTools } from "./tool-list.ts";

/** What a server offers now, made fit to be kept and shown. @throws ServerFailure */
export async function fetchList(
  connection: Connection,
  server: McpServer,
  atMs: number,
): Promise<KnownList> {
  const none = { items: [], isCut: false };
  const listed = connection.offers("tools") ? await connection.list("tools") : none;
  const { tools, problems } = parseTools(listed.items);
  const endless = listed.isCut ? ["its list of tools has no end that was reached"] : [];
  const isTier = server.tier === "memory" && server.memoryTool === undefined;
  const memories =
    isTier && connection.offers("resources") ? await connection.list("resources") : undefined;
  return {
    atMs,
    tools,
    problems: [...endless, ...problems],
    ...(memories === undefined ? {} : { memories: memories.items.length }),
  };
}
