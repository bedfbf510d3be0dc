import { type CommandRow, JSON_OPTION } from "./command-row.ts";
import { MCP_COMMAND } from "./mcp.ts";
import { MEMORY_COMMAND } from "./memory.ts";
import { SESSIONS_COMMAND } from "./sessions.ts";

const SETTINGS_COMMAND: CommandRow = {
  name: "settings",
  doc: "Show and change settings",
  details: "Without a subcommand, shows every setting, its value and where the value comes from.",
  example: "caliban settings set models.default ollama/qwen3",
  options: [JSON_OPTION],
  subcommands: [
    {
      name: "get",
      operands: "<key>",
      doc: "Print one effective value",
      example: "caliban settings get memory.auto",
      options: [JSON_OPTION],
    },
    {
      name: "set",
      operands: "<key> <value...>",
      doc: "Set a value in your settings file",
      details:
        'Comments in the file are kept. Several values form a list, which replaces the list in the file; so does `["a", "b"]` as one argument. `caliban settings` lists the keys.',
      example: "caliban settings set permissions.deny Bash WebFetch",
    },
    {
      name: "unset",
      operands: "<key>",
      doc: "Remove a value from your settings file",
      example: "caliban settings unset memory.auto",
    },
  ],
};

/** One row per command. Parsing, `--help`, shell completion and docs/cli.md are all made from this table. */
export const COMMANDS: readonly CommandRow[] = [
  MEMORY_COMMAND,
  SESSIONS_COMMAND,
  MCP_COMMAND,
  {
    name: "prompt",
    doc: "Print the system prompt for this directory",
    details:
      "Prints it exactly as the model gets it. On a terminal, control characters are escaped, so that a file cannot take over the terminal. Pipes and files get the exact bytes.",
    example: "caliban prompt --mode plan | head",
  },
  SETTINGS_COMMAND,
  {
    name: "doctor",
    doc: "Check this installation and suggest fixes",
    example: "caliban doctor",
    options: [JSON_OPTION],
  },
  {
    name: "completion",
    operands: "<shell>",
    doc: "Print a completion script for bash, zsh or fish",
    example: 'eval "$(caliban completion bash)"   # in ~/.bashrc',
  },
];
