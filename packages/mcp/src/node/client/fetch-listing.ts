import type { McpServer } from "../../client/mcp-server.ts";
import type { ServerListing } from "../../client/server-record.ts";
import { parseTools } from "../../client/tool-list.ts";
import type { Connection } from "./connection.ts";
import { fetchSkills } from "./fetch-skills.ts";

const MAX_PROBLEMS = 16;

/** Asks a server what it offers, and makes the answer safe to store and show. @throws ServerFailure */
export async function fetchListing(
  connection: Connection,
  server: McpServer,
  atMs: number,
): Promise<ServerListing> {
  const nothing = { pages: [], isIncomplete: false };
  const listed = connection.offers("tools") ? await connection.list("tools", parseTools) : nothing;
  // Parsed again as a whole, because two pages may contain the same tool, or too many tools together.
  const { tools, problems } = parseTools(listed.pages.flatMap((page) => page.tools));
  const incomplete = listed.isIncomplete
    ? ["its tool list has too many pages; the rest was ignored"]
    : [];
  const memories = isResourceTier(server, connection)
    ? await connection.list("resources", ({ length }) => length)
    : undefined;
  const skills = await fetchSkills(connection);
  return {
    atMs,
    tools,
    problems: [
      ...incomplete,
      ...listed.pages.flatMap((page) => page.problems),
      ...problems,
      ...skills.problems,
    ].slice(0, MAX_PROBLEMS),
    ...(skills.skills.length === 0 ? {} : { skills: skills.skills }),
    ...(memories === undefined
      ? {}
      : { memories: memories.pages.reduce((sum, count) => sum + count, 0) }),
  };
}

function isResourceTier({ tier, memoryTool }: McpServer, connection: Connection): boolean {
  return tier === "memory" && memoryTool === undefined && connection.offers("resources");
}
