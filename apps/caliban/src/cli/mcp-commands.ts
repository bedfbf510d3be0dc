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
  doc: "The same as `caliban mcp list`.",
  options: [JSON_OPTION],
  load: async () => (await import("../commands/servers/list.ts")).listServers,
  subcommands: SERVER_COMMANDS,
};
