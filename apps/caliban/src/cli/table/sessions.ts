import { type CommandRow, JSON_OPTION } from "./command-row.ts";

/** `caliban sessions` and its subcommands. */
export const SESSIONS_COMMAND: CommandRow = {
  name: "sessions",
  doc: "List, export and remove stored conversations",
  details:
    "Without a subcommand, lists the stored conversations of this project, newest first. A session is named by its id, the beginning of its id, or its name.",
  example: "caliban sessions --limit 10",
  options: [
    { flags: "--limit <number>", doc: "List at most this many sessions (default 50)" },
    JSON_OPTION,
  ],
  subcommands: [
    {
      name: "export",
      operands: "<session>",
      doc: "Print a conversation as Markdown",
      example: "caliban sessions export 2f9c --output review.md",
      options: [{ flags: "--output <file>", doc: "Write to this file, which must not exist yet" }],
    },
    {
      name: "rm",
      operands: "<session>",
      doc: "Remove a conversation permanently",
      example: "caliban sessions rm 2f9c",
      options: [{ flags: "--force", doc: "Do not ask for confirmation" }, JSON_OPTION],
    },
  ],
};
