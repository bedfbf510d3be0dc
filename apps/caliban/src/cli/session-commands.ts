import type { CommandRow, OptionRow } from "./command-row.ts";

const JSON_OPTION: OptionRow = { flags: "--json", doc: "Print JSON for programs." };

/** `caliban sessions` and its verbs. */
export const SESSIONS_COMMAND: CommandRow = {
  name: "sessions",
  doc: "List the stored conversations of this project, newest first.",
  options: [{ flags: "--limit <number>", doc: "Most sessions (50)." }, JSON_OPTION],
  load: async () => (await import("../commands/sessions/list.ts")).listStoredSessions,
  subcommands: [
    {
      name: "export",
      operands: "<session>",
      doc: "Print a conversation as Markdown. A session is named by its id, the beginning of it, or its name.",
      options: [
        { flags: "--output <file>", doc: "Write it to this file, which must not be there yet." },
      ],
      load: async () => (await import("../commands/sessions/export.ts")).exportSession,
    },
    {
      name: "rm",
      operands: "<session>",
      doc: "Remove a conversation for good.",
      options: [{ flags: "--force", doc: "Do not ask." }, JSON_OPTION],
      load: async () => (await import("../commands/sessions/remove.ts")).removeStoredSession,
    },
  ],
};
