import { createServer, type Server } from "node:http";
import { MCP_PORT } from "./project-files.ts";

const TOOLS = [
  {
    name: "find_ticket",
    description: "Finds a ticket.",
    inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  },
];
const RESOURCES = [{ uri: "wiki://billing", name: "billing", description: "how billing works" }];

const RESULTS: Readonly<Record<string, object>> = {
  "tools/list": { tools: TOOLS },
  "resources/list": { resources: RESOURCES },
  "resources/templates/list": { resourceTemplates: [] },
};

/** An MCP server over HTTP with one tool and one resource, for both servers of the corpus. */
export async function startMemoryServer(): Promise<{ readonly close: () => Promise<void> }> {
  const server: Server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.on("data", (chunk) => void (text += String(chunk)));
    incoming.on("end", () => {
      if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
      const {
        id,
        method = "",
        params,
      } = JSON.parse(text) as {
        readonly id?: number;
        readonly method?: string;
        readonly params?: { readonly protocolVersion?: string };
      };
      if (id === undefined) return void outgoing.writeHead(202).end();
      const initialized = {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: "corpus", version: "1.0.0" },
      };
      const result = method === "initialize" ? initialized : (RESULTS[method] ?? {});
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(MCP_PORT, "127.0.0.1", resolve));
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
