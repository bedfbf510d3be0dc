import { type CommandRow, JSON_OPTION } from "./command-row.ts";

/** The user's own hooks. */
export const HOOKS_COMMAND: CommandRow = {
  name: "hooks",
  doc: "List hooks, and approve those of a repository",
  details:
    "Without a subcommand, or with `list`, lists the hooks in your settings and those this repository requests. Runs nothing. Hooks that bring memory to other agents are `caliban hook`, without the s.",
  defaultVerbs: ["list", "ls"],
  example: { command: "hooks" },
  options: [JSON_OPTION],
  subcommands: [
    {
      name: "approve",
      operands: "<name>",
      doc: "Approve a hook that this repository requests",
      details: "Shows what would run, then asks. The approval ends when the hook changes.",
      example: { command: "hooks approve check-commands" },
      options: [{ flags: "--yes", doc: "Do not ask for confirmation" }, JSON_OPTION],
    },
    {
      name: "forget",
      operands: "<name>",
      doc: "Withdraw the approval of a hook",
      example: { command: "hooks forget check-commands" },
      options: [JSON_OPTION],
    },
  ],
};

/** Hooks of other agents. */
export const HOOK_COMMAND: CommandRow = {
  name: "hook",
  doc: "Give other agents memory notes by their hooks",
  details:
    "For Claude Code, Codex, Gemini CLI, Qwen Code, opencode and pi. Without a subcommand, or with `list`, lists where hooks are installed. Your own hooks in caliban are `caliban hooks`, with an s.",
  defaultVerbs: ["list", "ls"],
  example: { command: "hook install claude" },
  options: [JSON_OPTION],
  subcommands: [
    {
      name: "install",
      operands: "<agent>",
      doc: "Add hooks to the configuration of an agent",
      details:
        "Shows the change, then asks. Everything else in the file stays as it is, byte for byte. The agent is claude, codex, gemini, qwen, opencode or pi. Check the result with `caliban doctor --hooks`.",
      example: { command: "hook install codex" },
      options: [
        { flags: "--project", doc: "Only for this workspace, instead of for your user" },
        { flags: "--yes", doc: "Do not ask for confirmation" },
        JSON_OPTION,
      ],
    },
    {
      name: "uninstall",
      operands: "<agent>",
      doc: "Remove from the configuration of an agent what `install` added",
      example: { command: "hook uninstall codex" },
      options: [
        { flags: "--project", doc: "Only for this workspace, instead of for your user" },
        { flags: "--yes", doc: "Do not ask for confirmation" },
        JSON_OPTION,
      ],
    },
    {
      name: "run",
      operands: "<agent>",
      doc: "Answer a hook: agents call this with JSON on stdin",
      details:
        "Prints the answer as JSON, or nothing, and always ends with exit code 0. `caliban doctor` reports what went wrong.",
      example: "echo '{…}' | caliban hook run claude",
    },
    {
      name: "refresh",
      doc: "Store the notes of this project for hooks; they do so themselves",
      example: { command: "hook refresh" },
    },
  ],
};
