import { type CommandRow, JSON_OPTION } from "./command-row.ts";

/** `caliban mcp` and its subcommands. */
export const MCP_COMMAND: CommandRow = {
  name: "mcp",
  doc: "Serve memory over MCP, and manage MCP servers",
  details:
    "Without a subcommand, serves this project's memory to other agents on stdin and stdout. The project is the directory given with --workspace, otherwise the client's root, otherwise the current directory.",
  example: "claude mcp add caliban -- caliban mcp",
  options: [
    {
      flags: "--http <port>",
      doc: "Serve HTTP on 127.0.0.1 with a bearer token; 0 picks a port. Requires --workspace",
    },
    { flags: "--read-only", doc: "Let clients read, but change nothing" },
  ],
  subcommands: [
    {
      name: "list",
      doc: "List MCP servers and whether they may be used",
      details:
        "Lists the servers in your settings and those this repository requests. Starts nothing.",
      example: "caliban mcp list",
      options: [JSON_OPTION],
    },
    {
      name: "approve",
      operands: "<name>",
      doc: "Approve a server that this repository requests",
      details: "Shows what would be started, then asks. The approval ends when the server changes.",
      example: "caliban mcp approve postgres",
      options: [{ flags: "--yes", doc: "Do not ask for confirmation" }, JSON_OPTION],
    },
    {
      name: "forget",
      operands: "<name>",
      doc: "Withdraw the approval of a server",
      example: "caliban mcp forget postgres",
      options: [JSON_OPTION],
    },
  ],
};
