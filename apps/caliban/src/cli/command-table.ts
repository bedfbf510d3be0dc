import type { RunCommand } from "../command.ts";
import { explainMemory, showMemory } from "../commands/memory.ts";
import { showPrompt } from "../commands/prompt.ts";
import { getSetting, showSettings } from "../commands/settings.ts";
import { showStatus } from "../commands/status.ts";

export interface OptionRow {
  /** As commander reads it, such as `--workspace <directory>`. */
  readonly flags: string;
  readonly doc: string;
  /** Given several times, it is a list. */
  readonly repeatable?: boolean;
}

export interface CommandRow {
  readonly name: string;
  /** What stands after the name, such as `<key> <value...>`. */
  readonly operands?: string;
  readonly doc: string;
  readonly options?: readonly OptionRow[];
  readonly subcommands?: readonly CommandRow[];
  /** Loads the command when it is called: what only a rare one needs is not loaded for the others. */
  readonly load: () => Promise<RunCommand>;
}

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
  { flags: "--no-memory", doc: "Leave every memory tier out of this run." },
  {
    flags: "--bare",
    doc: "Read no settings and no memory: nothing on disk changes the prompt.",
  },
];

const JSON_OPTION: OptionRow = { flags: "--json", doc: "Print JSON for programs." };

/** One row per command. The parser, `--help` and docs/cli.md are all made from this table. */
export const COMMANDS: readonly CommandRow[] = [
  {
    name: "memory",
    doc: "Show the memory tiers with their paths and token counts.",
    options: [JSON_OPTION],
    load: async () => showMemory,
    subcommands: [
      {
        name: "explain",
        doc: "Show every file considered, what became of it and why.",
        options: [JSON_OPTION],
        load: async () => explainMemory,
      },
      {
        name: "approve",
        operands: "<file>",
        doc: "Let this workspace import a file from outside it, as the file is now.",
        load: async () => (await import("../commands/memory-approve.ts")).approveImport,
      },
      {
        name: "adopt",
        doc: "Take over the memory of this repository from the place it was moved from.",
        load: async () => (await import("../commands/memory-adopt.ts")).adoptMemory,
      },
    ],
  },
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
        doc: "Set a value in your settings file; comments in it stay. Several values make a list, which replaces the one in the file. `caliban settings` lists the keys.",
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
];

/** What runs when no command is named. */
export async function loadDefaultCommand(): Promise<RunCommand> {
  return showStatus;
}
