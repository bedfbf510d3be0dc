import type { RunCommand } from "../command.ts";
import { showPrompt } from "../commands/prompt.ts";
import { getSetting, showSettings } from "../commands/settings.ts";
import type { CommandRow, OptionRow } from "./command-row.ts";
import { MCP_COMMAND } from "./mcp-commands.ts";
import { MEMORY_COMMAND } from "./memory-commands.ts";
import { SESSIONS_COMMAND } from "./session-commands.ts";

/** Options that every command takes. */
export const GLOBAL_OPTIONS: readonly OptionRow[] = [
  {
    flags: "--workspace <directory>",
    doc: "Work in this directory instead of the current one.",
  },
  {
    flags: "--add-dir <directory>",
    doc: "Let the agent use this directory as well; may be given several times.",
    repeatable: true,
  },
  {
    flags: "--allow <rule>",
    doc: "Let the agent use a tool without asking, such as `memory.write`; may be given several times.",
    repeatable: true,
  },
  { flags: "--ask <rule>", doc: "Ask before a tool is used.", repeatable: true },
  { flags: "--deny <rule>", doc: "Keep a tool from being used.", repeatable: true },
  {
    flags: "--no-memory",
    doc: "Leave every memory tier out of this run, and learn nothing from it.",
  },
  {
    flags: "--bare",
    doc: "Read no settings and no memory: nothing on disk changes the prompt.",
  },
];

const JSON_OPTION: OptionRow = { flags: "--json", doc: "Print JSON for programs." };

/** One row per command. The parser, `--help` and docs/cli.md are all made from this table. */
export const COMMANDS: readonly CommandRow[] = [
  MEMORY_COMMAND,
  SESSIONS_COMMAND,
  MCP_COMMAND,
  {
    name: "prompt",
    doc: "Print the exact system prompt of this directory.",
    load: async () => showPrompt,
  },
  {
    name: "settings",
    doc: "Show every setting, its value and where it comes from.",
    options: [JSON_OPTION],
    load: async () => showSettings,
    subcommands: [
      {
        name: "get",
        operands: "<key>",
        doc: "Print one effective value.",
        options: [JSON_OPTION],
        load: async () => getSetting,
      },
      {
        name: "set",
        operands: "<key> <value...>",
        doc: 'Set a value in your settings file; comments in it stay. Several values make a list, which replaces the one in the file; so does `["a", "b"]` as one word. `caliban settings` lists the keys.',
        load: async () => (await import("../commands/settings-edit.ts")).setSetting,
      },
      {
        name: "unset",
        operands: "<key>",
        doc: "Take a value out of your settings file.",
        load: async () => (await import("../commands/settings-edit.ts")).unsetSetting,
      },
    ],
  },
  {
    name: "doctor",
    doc: "Look for what keeps caliban from working here, and say what to do about it.",
    options: [JSON_OPTION],
    load: async () => (await import("../commands/doctor/doctor.ts")).examineInstallation,
  },
];

/** What runs when no command is named. */
export async function loadDefaultCommand(): Promise<RunCommand> {
  return (await import("../headless/converse.ts")).converse;
}
