import { type CommandRow, JSON_OPTION } from "./command-row.ts";
import { HOOK_COMMAND, HOOKS_COMMAND } from "./hooks.ts";
import { MEMORY_COMMAND } from "./memory.ts";
import { AGENT_OPTIONS, MODEL_OPTION, PROMPT_OPTIONS } from "./options.ts";
import { SERVE_COMMAND } from "./serve.ts";

const SESSIONS_COMMAND: CommandRow = {
  name: "sessions",
  doc: "List, export and remove stored conversations",
  details:
    "Without a subcommand, or with `list`, lists the stored conversations of this project, newest first. A session is named by its id, any part of its id that no other has, or its name.",
  defaultVerbs: ["list", "ls"],
  example: { command: "sessions --limit 10" },
  options: [
    { flags: "--limit <number>", doc: "List at most this many sessions (default 50)" },
    JSON_OPTION,
  ],
  subcommands: [
    {
      name: "export",
      operands: "<session>",
      doc: "Print a conversation as Markdown",
      example: { command: "sessions export 2f9c --output review.md" },
      options: [{ flags: "--output <file>", doc: "Write to this file, which must not exist yet" }],
    },
    {
      name: "rm",
      operands: "<session>",
      doc: "Remove a conversation and its checkpoints of files permanently",
      example: { command: "sessions rm 2f9c" },
      options: [
        { flags: "--checkpoints", doc: "Remove only the checkpoints, and keep the conversation" },
        { flags: "--force", doc: "Do not ask for confirmation" },
        JSON_OPTION,
      ],
    },
  ],
};

const MCP_COMMAND: CommandRow = {
  name: "mcp",
  doc: "Serve memory over MCP, and manage MCP servers",
  details:
    "Without a subcommand, or with `serve`, serves this project's memory to other agents on stdin and stdout. The project is the directory given with --workspace, otherwise the client's root, otherwise the current directory.",
  defaultVerbs: ["serve"],
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
      aliases: ["ls"],
      doc: "List MCP servers and whether they may be used",
      details:
        "Lists the servers in your settings and those this repository requests. Starts nothing.",
      example: { command: "mcp list" },
      options: [JSON_OPTION],
    },
    {
      name: "add",
      operands: "<name> <endpoint...>",
      doc: "Add a server to your settings: a URL, or a program with its arguments",
      details:
        "Everything after `--` is the program and its arguments; no shell is involved. A name that your settings already have is not replaced.",
      afterDashes: "the program and its options",
      example: "caliban mcp add files -- npx -y some-server ~/notes",
      options: [
        {
          flags: "--env <variable>",
          doc: "Set a variable for the program, as NAME=text (repeatable)",
          repeatable: true,
        },
        {
          flags: "--pass-env <name>",
          doc: "Pass a variable of your environment on to it (repeatable)",
          repeatable: true,
        },
        { flags: "--token-env <name>", doc: "The variable that contains the token for a URL" },
        JSON_OPTION,
      ],
    },
    {
      name: "remove",
      aliases: ["rm"],
      operands: "<name>",
      doc: "Remove a server from your settings",
      example: { command: "mcp remove files" },
      options: [JSON_OPTION],
    },
    {
      name: "login",
      operands: "<name>",
      doc: "Log in to a server in your settings that is reached over HTTP",
      details:
        "Opens your browser, and stores the tokens in a file that only you can read. A server that a repository requests gets no login.",
      example: { command: "mcp login wiki" },
      options: [
        { flags: "--no-open", doc: "Print the address instead of opening a browser" },
        JSON_OPTION,
      ],
    },
    {
      name: "logout",
      operands: "<name>",
      doc: "Forget the login to a server",
      example: { command: "mcp logout wiki" },
      options: [JSON_OPTION],
    },
    {
      name: "approve",
      operands: "<name>",
      doc: "Approve a server that this repository requests",
      details: "Shows what would be started, then asks. The approval ends when the server changes.",
      example: { command: "mcp approve postgres" },
      options: [{ flags: "--yes", doc: "Do not ask for confirmation" }, JSON_OPTION],
    },
    {
      name: "forget",
      operands: "<name>",
      doc: "Withdraw the approval of a server",
      example: { command: "mcp forget postgres" },
      options: [JSON_OPTION],
    },
  ],
};

const SETTINGS_COMMAND: CommandRow = {
  name: "settings",
  doc: "Show and change settings",
  details:
    "Without a subcommand, or with `list`, shows every setting, its value and where the value comes from.",
  defaultVerbs: ["list", "ls"],
  example: { command: "settings set models.default ollama/qwen3" },
  options: [JSON_OPTION],
  subcommands: [
    {
      name: "get",
      operands: "<key>",
      doc: "Print one effective value",
      example: { command: "settings get memory.auto" },
      options: [JSON_OPTION],
    },
    {
      name: "set",
      operands: "<key> <value...>",
      doc: "Set a value in your settings file",
      details:
        'Comments in the file are kept. Several values form a list, which replaces the list in the file; so does `["a", "b"]` as one argument. `caliban settings` lists the keys.',
      example: { command: "settings set permissions.deny Bash WebFetch" },
    },
    {
      name: "unset",
      operands: "<key>",
      doc: "Remove a value from your settings file",
      example: { command: "settings unset memory.auto" },
    },
  ],
};

/** One row per command. Parsing, `--help`, shell completion and docs/cli.md are all made from this table. */
export const COMMANDS: readonly CommandRow[] = [
  MEMORY_COMMAND,
  SESSIONS_COMMAND,
  MCP_COMMAND,
  HOOKS_COMMAND,
  HOOK_COMMAND,
  {
    name: "acp",
    doc: "Work in an editor (Agent Client Protocol)",
    details:
      "Editors start it and talk to it on stdin and stdout. Each session works in the directory that the editor names. With --workspace, other directories are refused.",
    example: { command: "acp --mode plan" },
    options: AGENT_OPTIONS,
  },
  {
    name: "page",
    doc: "Show and edit memory in the browser",
    details:
      "Serves a page on this machine until you press Ctrl-C or do not use it for an hour, and opens it. It shows what is in the prompt and why, topics, proposals, changes, learned memory, search, problems and costs.",
    example: { command: "page" },
    options: [
      { flags: "--all", doc: "Show the memory of every project, not only of this one" },
      { flags: "--port <number>", doc: "Use this port; a free one without it" },
      {
        flags: "--no-open",
        doc: "Print the address instead of opening it. It contains the key to the page",
      },
      {
        flags: "--export <file>",
        doc: "Write a new HTML file to read, without secrets and home paths, and end",
      },
    ],
  },
  SERVE_COMMAND,
  {
    name: "prompt",
    doc: "Print the system prompt for this directory",
    details:
      "Prints it exactly as the model gets it. On a terminal, control characters are escaped, so that a file cannot take over the terminal. Pipes and files get the exact bytes.",
    example: "caliban prompt --mode plan | head",
    options: PROMPT_OPTIONS,
  },
  SETTINGS_COMMAND,
  {
    name: "doctor",
    doc: "Check this installation and suggest fixes",
    example: { command: "doctor" },
    options: [
      {
        flags: "--hooks",
        doc: "Run each agent with hooks against a local model, and report what arrives",
      },
      JSON_OPTION,
      MODEL_OPTION,
    ],
  },
  {
    name: "completion",
    operands: "<shell> [words...]",
    doc: "Print a completion script for bash, zsh or fish",
    details:
      "The script completes commands, options, settings, topics, sessions, servers and models. It asks caliban for what only a lookup can tell: with `-- <words...>`, prints what the last word can be, one line each.",
    example: 'eval "$(caliban completion bash)"   # in ~/.bashrc',
  },
];
