import type { OptionRow } from "./command-row.ts";

const PERMISSION_RULE = {
  flags: "--allow, --ask, --deny <rule>",
  doc: "Add a permission rule for this run",
};

/** Options that every command accepts. */
export const GLOBAL_OPTIONS: readonly OptionRow[] = [
  { flags: "--workspace <directory>", doc: "Work in this directory" },
  {
    flags: "--add-dir <directory>",
    doc: "Give the agent another directory (repeatable)",
    repeatable: true,
  },
  {
    flags: "--allow <rule>",
    doc: "Allow a tool without asking, e.g. memory.write (repeatable)",
    repeatable: true,
    summary: PERMISSION_RULE,
  },
  {
    flags: "--ask <rule>",
    doc: "Ask before a tool runs (repeatable)",
    repeatable: true,
    summary: PERMISSION_RULE,
  },
  {
    flags: "--deny <rule>",
    doc: "Never run a tool (repeatable)",
    repeatable: true,
    summary: PERMISSION_RULE,
  },
  { flags: "--no-memory", doc: "Run without memory, and learn nothing from it" },
  { flags: "--bare", doc: "Ignore all settings and memory" },
  { flags: "-h, --help", doc: "Show help; also for a single command" },
  { flags: "-V, --version", doc: "Print the version" },
];
