import type { CommandRow } from "./command-row.ts";

/** Subcommands of `caliban memory` about what was learned from past sessions. */
export const LEARNED_COMMANDS: readonly CommandRow[] = [
  {
    name: "view",
    doc: "Print the learned memory exactly as a new session gets it",
    example: { command: "memory view" },
  },
  {
    name: "stats",
    doc: "Show the last run, what is queued, what failed and the cost",
    example: { command: "memory stats" },
  },
  {
    name: "rebuild",
    aliases: ["enqueue"],
    doc: "Rebuild learned memory at the next start, or with --now",
    example: { command: "memory rebuild --now --recent" },
    options: [
      { flags: "--now", doc: "Rebuild it now and wait" },
      { flags: "--recent", doc: "With --now: include sessions used within the last hours" },
    ],
  },
  {
    name: "retry",
    doc: "Retry what failed or is waiting",
    example: { command: "memory retry" },
  },
  {
    name: "clear",
    aliases: ["reset"],
    doc: "Remove what was learned from past sessions",
    details: "The same sessions are never learned from again.",
    example: { command: "memory clear" },
    options: [
      { flags: "--all", doc: "Clear every project" },
      { flags: "--force", doc: "Do not ask for confirmation" },
    ],
  },
];

/** Subcommands of `caliban memory` that exchange memory with other agents. */
export const EXCHANGE_COMMANDS: readonly CommandRow[] = [
  {
    name: "import",
    operands: "[path]",
    doc: "Copy what another agent remembers",
    details:
      "Imports the topics of this project and your global instructions. Nothing is overwritten, and the source is not changed. Shows a plan first.",
    example: { command: "memory import --from claude" },
    options: [
      {
        flags: "--from <source>",
        doc: "claude (default), codex, gemini, agents-md, dir, or a path: a directory of Markdown files, one file, or the output of `export --to json`",
      },
      { flags: "--include-forgotten", doc: "Import what you forgot here as well" },
      { flags: "--all", doc: "Include entries of a shared memory that do not name this project" },
      { flags: "--yes", doc: "Do not ask for confirmation" },
    ],
  },
  {
    name: "export",
    doc: "Write the topics in another agent's format",
    example: { command: "memory export --to claude" },
    options: [
      { flags: "--to <format>", doc: "claude, agents-md, json or tar" },
      {
        flags: "--output <path>",
        doc: "A directory for claude (default: Claude Code's for this project), otherwise a file (default: stdout)",
      },
      { flags: "--replace", doc: "With claude: overwrite files whose text differs" },
      { flags: "--yes", doc: "Do not ask before writing to Claude Code's directory" },
      { flags: "--allow-secrets", doc: "Include text that looks like a secret" },
    ],
  },
  {
    name: "copy",
    doc: "Copy topics and their history between files and PostgreSQL",
    details:
      "The source is not changed, and topics that are newer in the target are kept. Repeat it to copy what is new.",
    example: { command: "memory copy --to postgres" },
    options: [{ flags: "--to <store>", doc: "postgres or files" }],
  },
  {
    name: "migrate",
    doc: "Create or update the tables in PostgreSQL",
    details: "Existing data is kept.",
    example: { command: "memory migrate" },
  },
];
