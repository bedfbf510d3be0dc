import type { OptionRow } from "./command-row.ts";

const UNSTORED = {
  flags: "--no-save, --no-learn",
  doc: "Do not store this session; never learn from it",
} as const;

const SYSTEM_PROMPT = {
  flags: "--system, --system-file <…>",
  doc: "Replace the built-in system prompt",
};

const FORMAT = {
  flags: "--output-, --input-format <…>",
  doc: "With -p: text (default), json or stream-json",
};

const RESUME = {
  flags: "-c, --continue, -r, --resume",
  doc: "Continue the latest session; choose another",
};

const DIRECTORIES = {
  flags: "--workspace, --add-dir <…>",
  doc: "Work in this directory; add another one",
};

export const MODEL_OPTION: OptionRow = {
  flags: "--model <provider/model>",
  doc: "Use this model, e.g. openai/gpt-5",
};

/** Options that change the prompt. */
export const PROMPT_OPTIONS: readonly OptionRow[] = [
  { flags: "--mode <mode>", doc: "default, accept-edits, plan or yolo" },
  {
    flags: "--system <text>",
    doc: "Replace the built-in prompt; memory stays",
    summary: SYSTEM_PROMPT,
  },
  {
    flags: "--system-file <path>",
    doc: "Read the replacement system prompt from a file",
    summary: SYSTEM_PROMPT,
  },
  { flags: "--append-system-prompt <text>", doc: "Append this to the system prompt" },
];

const MAX_TURNS: OptionRow = {
  flags: "--max-turns <number>",
  doc: "Limit the model requests for each message",
};

const NOT_STORED: readonly OptionRow[] = [
  { flags: "--no-save", doc: "Do not store this session", summary: UNSTORED },
  { flags: "--no-learn", doc: "Never learn from this session", summary: UNSTORED },
];

/** Options of every conversation with the agent. */
export const AGENT_OPTIONS: readonly OptionRow[] = [
  MAX_TURNS,
  MODEL_OPTION,
  ...PROMPT_OPTIONS,
  ...NOT_STORED,
];

/** Options of a conversation with the agent, which is what runs when no command is named. */
export const CONVERSATION_OPTIONS: readonly OptionRow[] = [
  { flags: "-p, --print [prompt]", doc: "Print one answer to stdout and exit; never asks" },
  {
    flags: "--output-format <format>",
    doc: "With -p: text (default), json or stream-json",
    summary: FORMAT,
  },
  {
    flags: "--input-format <format>",
    doc: "With -p: text (default) or stream-json",
    summary: FORMAT,
  },
  MAX_TURNS,
  MODEL_OPTION,
  ...PROMPT_OPTIONS,
  { flags: "-c, --continue", doc: "Continue the most recent session", summary: RESUME },
  {
    flags: "-r, --resume [id]",
    doc: "Resume a session; without an id, choose one",
    summary: RESUME,
  },
  { flags: "--session <name>", doc: "Resume the session of this name, or start it" },
  ...NOT_STORED,
];

const PERMISSION_RULE = {
  flags: "--allow, --ask, --deny <rule>",
  doc: "Add a permission rule for this run",
};

/** Options that every command accepts. */
export const GLOBAL_OPTIONS: readonly OptionRow[] = [
  { flags: "--workspace <directory>", doc: "Work in this directory", summary: DIRECTORIES },
  {
    flags: "--add-dir <directory>",
    doc: "Give the agent another directory (repeatable)",
    repeatable: true,
    summary: DIRECTORIES,
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
