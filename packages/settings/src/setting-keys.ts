import { MEMORIES_KEYS, type MemoriesValues } from "./memories-keys.ts";
import type { ProviderTable } from "./provider-keys.ts";
import type { ServerTable } from "./server-keys.ts";
import type { RowOf } from "./setting-row.ts";

/** Every setting by its full key, with the type of its value. */
export interface SettingValues extends MemoriesValues {
  readonly additional_directories: readonly string[];
  readonly claude_md_excludes: readonly string[];
  readonly "mcp.servers": ServerTable;
  readonly "memory.auto": boolean;
  readonly "memory.write": "allow" | "ask" | "off";
  readonly "memory.recall": "auto" | "off";
  readonly "memory.directory": string | undefined;
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
}

export type SettingKey = keyof SettingValues;
/** A whole setting, or what stands at one key of a provider or a server. */
export type SettingValue = SettingValues[SettingKey] | Readonly<Record<string, string>>;

/** One setting: how it is checked, what it is when nobody sets it, who may change it, and what it is for. */
export type SettingRow<Value extends SettingValue = SettingValue> = RowOf<Value>;

/** One row per setting. The checks, `caliban settings` and docs/settings.md are all made from this table. */
export const SETTING_KEYS: { readonly [Key in SettingKey]: SettingRow<SettingValues[Key]> } = {
  additional_directories: {
    kind: "directories",
    default: [],
    project: "none",
    doc: "Directories besides the workspace that the agent may use. Their instruction files count only with CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1.",
  },
  claude_md_excludes: {
    kind: "patterns",
    default: [],
    project: "add",
    variable: { name: "CALIBAN_CLAUDE_MD_EXCLUDES", rank: "above-user-file" },
    doc: "Gitignore patterns, relative to the workspace root, of instruction files to leave out.",
  },
  "mcp.servers": {
    kind: "tables",
    default: {},
    project: "wish",
    doc: "MCP servers that the agent may use, by a name of your choice: one table each, `[mcp.servers.<name>]`, with either `command` or `url`.",
  },
  "memory.auto": {
    kind: "switch",
    default: true,
    project: "turn-off",
    variable: { name: "CALIBAN_DISABLE_AUTO_MEMORY", rank: "above-user-file", negated: true },
    doc: "Whether the agent keeps and sees its own notes.",
  },
  "memory.write": {
    kind: "choice",
    choices: { allow: "save at once", ask: "ask first", off: "never save" },
    default: "allow",
    project: "none",
    doc: "What the agent may do with its notes: save at once, ask first, or never save.",
  },
  "memory.recall": {
    kind: "choice",
    choices: { auto: "name what fits a message", off: "name nothing" },
    default: "auto",
    project: "none",
    doc: "Whether a message that speaks of a topic of the agent's notes brings along a line that names it: at most three topics, none twice in a session.",
  },
  "memory.directory": {
    kind: "memory-directory",
    default: undefined,
    project: "none",
    variable: { name: "CALIBAN_AUTO_MEMORY_DIRECTORY", rank: "above-user-file" },
    doc: 'Where the agent\'s notes live, instead of the project home below the data home; `"claude"`: in the directory that Claude Code keeps for the project.',
  },
  "memory.cap_tokens_auto": {
    kind: "tokens",
    default: undefined,
    project: "make-smaller",
    variable: { name: "CALIBAN_MEMORY_CAP_TOKENS_AUTO", rank: "below-user-file" },
    doc: "Most tokens of the auto tier.",
  },
  "memory.cap_tokens_claude_md": {
    kind: "tokens",
    default: undefined,
    project: "make-smaller",
    variable: { name: "CALIBAN_MEMORY_CAP_TOKENS_CLAUDE_MD", rank: "below-user-file" },
    doc: "Most tokens of the global and project tiers together; the project tier is cut first. From a project file it cuts the project tier only.",
  },
  "memory.cap_tokens_combined": {
    kind: "tokens",
    default: 32_000,
    project: "none",
    variable: { name: "CALIBAN_MEMORY_BUDGET_TOKENS", rank: "below-user-file" },
    doc: "Most tokens of the whole memory prefix.",
  },
  ...MEMORIES_KEYS,
  "models.default": {
    kind: "model",
    default: undefined,
    project: "none",
    variable: { name: "CALIBAN_MODEL", rank: "above-user-file" },
    doc: "The model that answers. Without it, the first provider with a key in the environment is used, and with no key the offline model.",
  },
  "models.smol": {
    kind: "model",
    default: undefined,
    project: "none",
    doc: "A smaller model for small work, such as summaries; without it, models.default does that too.",
  },
  "models.context_window": {
    kind: "tokens",
    default: undefined,
    project: "none",
    doc: "How many tokens the model can see, where caliban does not know it or should use less.",
  },
  "permissions.allow": {
    kind: "permissions",
    default: [],
    project: "none",
    doc: "What tools may do without a question.",
  },
  "permissions.ask": {
    kind: "permissions",
    default: [],
    project: "add",
    doc: "What is asked about first. It beats permissions.allow.",
  },
  "permissions.deny": {
    kind: "permissions",
    default: [],
    project: "add",
    doc: "What is never done. It beats permissions.ask and permissions.allow.",
  },
  "permissions.mode": {
    kind: "choice",
    choices: {
      default: "writes and commands are asked about",
      "accept-edits": "edits of files need no question",
      plan: "nothing is changed",
      yolo: "nothing is asked",
    },
    default: "default",
    project: "none",
    doc: "What holds where no rule does.",
  },
  providers: {
    kind: "tables",
    default: {},
    project: "none",
    doc: "Where models are, by the name before the slash of `provider/model`: one table each, `[providers.<name>]`.",
  },
};

/** Whether a full key is one of ours. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTING_KEYS, key);
}

/** The keys in the order in which they are shown. */
export const SETTING_KEY_NAMES: readonly SettingKey[] =
  Object.keys(SETTING_KEYS).filter(isSettingKey);
