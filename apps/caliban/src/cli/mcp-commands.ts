import type { CommandRow, OptionRow } from "./command-row.ts";

const JSON_OPTION: OptionRow = { flags: "--json", doc: "Print JSON for programs." };

/** Verbs about the servers that caliban itself uses. */
const SERVER_COMMANDS: readonly CommandRow[] = [
  {
    name: "list",
    doc: "List the MCP servers of your settings and those that this repository wishes for, and which of them may be used. Nothing is started.",
    options: [JSON_OPTION],
    load: async () => (await import("../commands/servers/list.ts")).listServers,
  },
  {
    name: "approve",
    operands: "<name>",
    doc: "Let this repository use a server that it wishes for, as it is now. Shows what would be started, and asks.",
    options: [{ flags: "--yes", doc: "Do not ask." }, JSON_OPTION],
    load: async () => (await import("../commands/servers/approve.ts")).approveServer,
  },
  {
    name: "forget",
    operands: "<name>",
    doc: "Take the approval of a server back.",
    options: [JSON_OPTION],
    load: async () => (await import("../commands/servers/forget.ts")).forgetServer,
  },
];

/** `caliban mcp` and its verbs. */
export const MCP_COMMAND: CommandRow = {
  name: "mcp",
  doc: "Serve this project's memory to other agents by the Model Context Protocol, on stdin and stdout; the directory is that of --workspace, else the client's root, else the current one.",
  options: [
    {
      flags: "--http <port>",
      doc: "Serve over HTTP on 127.0.0.1 instead, with a bearer token; 0 picks a port. Needs --workspace.",
    },
    { flags: "--read-only", doc: "Let clients look, and change nothing." },
  ],
  load: async () => (await import("../mcp/server/serve-memory.ts")).serveMemory,
  subcommands: SERVER_COMMANDS,
};
