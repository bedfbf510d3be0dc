import { BUDGET_KEYS, type BudgetValues } from "./budget-keys.ts";
import { HOOKS_KEY, type HooksValue } from "./hook-keys.ts";
import { MEMORIES_KEYS, type MemoriesValues } from "./memories-keys.ts";
import type { ProviderTable } from "./provider-keys.ts";
import type { ServerTable } from "./server-keys.ts";
import type { RowOf } from "./setting-row.ts";
import { TEAM_KEYS, type TeamValues } from "./team-keys.ts";
import { UI_KEYS, type UiValues } from "./ui-keys.ts";

/** Every setting by its full key, with the type of its value. */
export interface SettingValues
  extends BudgetValues, HooksValue, MemoriesValues, TeamValues, UiValues {
  readonly additional_directories: readonly string[];
  readonly claude_md_excludes: readonly string[];
  readonly "mcp.servers": ServerTable;
  readonly "memory.auto": boolean;
  readonly "memory.user": boolean;
  readonly "memory.write": "auto" | "allow" | "inbox" | "ask" | "off";
  readonly "memory.recall": "auto" | "message" | "off";
  readonly "memory.store": "files" | "postgres";
  readonly "memory.directory": string | undefined;
  readonly "memory.postgres_url_variable": string | undefined;
  readonly "memory.project": string | undefined;
  readonly "memory.cap_tokens_auto": number | undefined;
  readonly "memory.cap_tokens_claude_md": number | undefined;
  readonly "memory.cap_tokens_combined": number;
  readonly "models.default": string | undefined;
  readonly "models.smol": string | undefined;
  readonly "models.context_window": number | undefined;
  readonly "permissions.allow": readonly string[];
  readonly "permissions.ask": readonly string[];
  readonly "permissions.deny": readonly string[];
  readonly "permissions.mode": "default" | "accept-edits" | "plan" | "yolo";
  readonly providers: ProviderTable;
  readonly "sandbox.mode": "auto" | "on" | "off";
  readonly "sandbox.allowed_hosts": readonly string[];
  readonly "sandbox.writable_paths": readonly string[];
  readonly "sandbox.readable_paths": readonly string[];
}

export type SettingKey = keyof SettingValues;
/** The value of a setting, or of one key of a provider or a server. */
export type SettingValue = SettingValues[SettingKey] | Readonly<Record<string, string>>;

/** One setting: how it is checked, its default, who may change it, and what it is for. */
export type SettingRow<Value extends SettingValue = SettingValue> = RowOf<Value>;

/** One row per setting. The checks, `caliban settings` and docs/settings.md all use this table. */
export const SETTING_KEYS: { readonly [Key in SettingKey]: SettingRow<SettingValues[Key]> } = {
  additional_directories: {
    kind: "directories",
    default: [],
    project: "none",
    doc: "Directories besides the workspace that the agent may use. Their instruction files are loaded only with CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1.",
  },
  ...BUDGET_KEYS,
  claude_md_excludes: {
    kind: "patterns",
    default: [],
    project: "add",
    variable: { name: "CALIBAN_CLAUDE_MD_EXCLUDES", rank: "above-user-file" },
    doc: "Gitignore patterns, relative to the workspace root, of instruction files to exclude.",
  },
  ...HOOKS_KEY,
  "mcp.servers": {
    kind: "tables",
    default: {},
    project: "request",
    doc: "MCP servers that the agent may use: one table `[mcp.servers.<name>]` each, with either `command` or `url`.",
  },
  "memory.auto": {
    kind: "switch",
    default: true,
    project: "turn-off",
    variable: { name: "CALIBAN_DISABLE_AUTO_MEMORY", rank: "above-user-file", negated: true },
    doc: "Whether the agent has a memory of its own: it writes topics and sees their index.",
  },
  "memory.user": {
    kind: "switch",
    default: true,
    project: "turn-off",
    doc: "Whether the agent also remembers facts about you that hold in every project.",
  },
  "memory.write": {
    kind: "choice",
    choices: {
      auto: "save without asking, and put what untrusted text may have suggested into the inbox",
      allow: "save without asking",
      inbox: "put everything into the inbox",
      ask: "ask first",
      off: "never save",
    },
    default: "auto",
    project: "none",
    doc: "Whether the agent saves topics without asking, asks first, or never saves. See [applied memory](applied-memory.md).",
  },
  "memory.recall": {
    kind: "choice",
    choices: {
      auto: "notes with your messages and with the results of tools",
      message: "notes with your messages only",
      off: "no notes",
    },
    default: "auto",
    project: "none",
    doc: "When the agent gets a note with a memory that applies. See [applied memory](applied-memory.md).",
  },
  "memory.store": {
    kind: "choice",
    choices: {
      files: "Markdown files on this machine",
      postgres: "a PostgreSQL server that several machines share",
    },
    default: "files",
    project: "none",
    doc: "Where topics are stored. See [PostgreSQL](postgres.md).",
  },
  "memory.directory": {
    kind: "memory-directory",
    default: undefined,
    project: "none",
    variable: { name: "CALIBAN_AUTO_MEMORY_DIRECTORY", rank: "above-user-file" },
    doc: 'The directory of the topics, instead of the default in the data directory. `"claude"` means the directory that Claude Code uses for the project.',
  },
  "memory.postgres_url_variable": {
    kind: "variable-name",
    default: undefined,
    project: "none",
    doc: 'The name of the environment variable that contains the URL of the server, for `store = "postgres"`. The URL itself is never stored or displayed.',
  },
  "memory.project": {
    kind: "text",
    default: undefined,
    project: "none",
    doc: "The name of the project in PostgreSQL, instead of its root commit and its remote. It applies to every directory, so set it only where you work on one project, such as in a container.",
  },
  "memory.cap_tokens_auto": {
    kind: "tokens",
    default: undefined,
    project: "make-smaller",
    variable: { name: "CALIBAN_MEMORY_CAP_TOKENS_AUTO", rank: "below-user-file" },
    doc: "Maximum tokens of the auto tier.",
  },
  "memory.cap_tokens_claude_md": {
    kind: "tokens",
    default: undefined,
    project: "make-smaller",
    variable: { name: "CALIBAN_MEMORY_CAP_TOKENS_CLAUDE_MD", rank: "below-user-file" },
    doc: "Maximum tokens of the global and project tiers together; the project tier is truncated first. In a project file it applies to the project tier only.",
  },
  "memory.cap_tokens_combined": {
    kind: "tokens",
    default: 32_000,
    project: "none",
    variable: { name: "CALIBAN_MEMORY_BUDGET_TOKENS", rank: "below-user-file" },
    doc: "Maximum tokens of the whole memory prefix.",
  },
  ...TEAM_KEYS,
  ...MEMORIES_KEYS,
  "models.default": {
    kind: "model",
    default: undefined,
    project: "none",
    variable: { name: "CALIBAN_MODEL", rank: "above-user-file" },
    doc: "The model to use. By default, the first provider with an API key in the environment, or the offline model if there is none.",
  },
  "models.smol": {
    kind: "model",
    default: undefined,
    project: "none",
    doc: "A smaller model for small tasks, such as summaries. By default, models.default.",
  },
  "models.context_window": {
    kind: "tokens",
    default: undefined,
    project: "none",
    doc: "The context window of the model in tokens, if caliban does not know it or should use less.",
  },
  "permissions.allow": {
    kind: "permissions",
    default: [],
    project: "none",
    doc: "What tools may do without asking.",
  },
  "permissions.ask": {
    kind: "permissions",
    default: [],
    project: "add",
    doc: "What needs your approval each time. Takes precedence over permissions.allow.",
  },
  "permissions.deny": {
    kind: "permissions",
    default: [],
    project: "add",
    doc: "What tools may never do. Takes precedence over permissions.ask and permissions.allow.",
  },
  "permissions.mode": {
    kind: "choice",
    choices: {
      default: "ask before writes and commands",
      "accept-edits": "edit files without asking",
      plan: "change nothing",
      yolo: "ask nothing",
    },
    default: "default",
    project: "none",
    doc: "What applies where no rule does.",
  },
  providers: {
    kind: "tables",
    default: {},
    project: "none",
    doc: "Model providers, by the name before the slash of `provider/model`: one table `[providers.<name>]` each.",
  },
  "sandbox.mode": {
    kind: "choice",
    choices: {
      auto: "confine commands where that works, and ask before one leaves the sandbox",
      on: "confine every command, or do not run it",
      off: "confine nothing, and ask about every command",
    },
    default: "auto",
    project: "none",
    doc: "Whether the operating system confines commands. See [sandbox](sandbox.md).",
  },
  "sandbox.allowed_hosts": {
    kind: "hosts",
    default: [],
    project: "none",
    doc: "Hosts that confined commands can reach over HTTP and HTTPS. Without any, they have no network.",
  },
  "sandbox.writable_paths": {
    kind: "directories",
    default: [],
    project: "none",
    doc: "Files and directories outside of the workspace that confined commands can write, such as a cache.",
  },
  "sandbox.readable_paths": {
    kind: "directories",
    default: [],
    project: "none",
    doc: "Files and directories that confined commands can read although they are hidden by default, such as `~/.npmrc`.",
  },
  ...UI_KEYS,
};

/** Whether a full key is a setting. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTING_KEYS, key);
}

/** All keys, in display order. */
export const SETTING_KEY_NAMES: readonly SettingKey[] =
  Object.keys(SETTING_KEYS).filter(isSettingKey);
