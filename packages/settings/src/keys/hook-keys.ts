import type { NamedTables, TableKeyRow, TableWarning } from "./named-tables.ts";
import type { RowOf } from "./setting-row.ts";

/** The moments at which hooks run, with their meaning. The names are those of Claude Code. */
const HOOK_EVENTS = {
  SessionStart: "when a conversation starts",
  UserPromptSubmit: "when you send a message",
  PreToolUse: "before a tool runs",
  PostToolUse: "after a tool has run",
  Stop: "when the agent has finished",
} as const;

export type HookEvent = keyof typeof HOOK_EVENTS;

/** The keys of one `[hooks.<name>]`. */
export interface HookSettings {
  readonly event?: HookEvent | undefined;
  readonly command?: string | undefined;
  readonly matcher?: string | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly enabled?: boolean | undefined;
}

/** Every `[hooks.<name>]` by name. */
export type HookTable = Readonly<Record<string, HookSettings>>;

export interface HooksValue {
  readonly hooks: HookTable;
}

/** The row of the settings table. */
export const HOOKS_KEY: { readonly hooks: RowOf<HookTable> } = {
  hooks: {
    kind: "tables",
    default: {},
    project: "request",
    doc: "Commands that run at certain moments of a conversation: one table `[hooks.<name>]` each. `CALIBAN_DISABLE_HOOKS=1` and `--bare` turn all of them off. See [hooks](hooks.md).",
  },
};

/** One row per key of a hook, used by the checks and docs/settings.md. */
const HOOK_KEYS: Readonly<Record<keyof HookSettings, TableKeyRow>> = {
  event: { kind: "choice", choices: HOOK_EVENTS, doc: "When it runs." },
  command: {
    kind: "text",
    doc: "What to run, as a line for a shell. It gets JSON on stdin and prints JSON, or nothing.",
  },
  matcher: {
    kind: "tool-names",
    doc: "The tools it runs for, such as `Bash` or `Edit|Write`; all of them by default. Only for `PreToolUse` and `PostToolUse`.",
  },
  timeout_seconds: {
    kind: "count",
    range: { min: 1, max: 600 },
    doc: "How long it may take; 30 by default. Then it is killed with everything it started.",
  },
  enabled: {
    kind: "switch",
    doc: "`false` turns the hook off, and also a hook with this name that a repository requests.",
  },
};

/** `[hooks.<name>]` */
export const HOOKS: NamedTables = {
  setting: "hooks",
  noun: "hook",
  example: "hooks.format.command",
  keys: HOOK_KEYS,
  isName: (name) => name.length <= 32 && /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(name),
  nameRule:
    "a hook name consists of at most 32 lowercase letters, digits, - and _, as in [hooks.check-commands]",
  literalKeyMessage:
    "keep tokens out of settings files. A hook gets your environment, so let it read a variable.",
  findWarnings: hookWarnings,
};

const ABOUT_TOOLS: ReadonlySet<string | undefined> = new Set(["PreToolUse", "PostToolUse"]);

/** Warns about a hook that cannot run, and about keys without effect. */
function hookWarnings(name: string, hook: HookSettings): readonly TableWarning[] {
  const { event, command, matcher, enabled } = hook;
  if (enabled === false) return [];
  const whole = `hooks.${name}`;
  const missing = (["event", "command"] as const).filter((key) => hook[key] === undefined);
  if (event === undefined || command === undefined) {
    const message = `${whole} has no ${missing.join(" and no ")}, so it never runs.`;
    return [{ below: [], code: "NO_EFFECT", message }];
  }
  if (matcher === undefined || ABOUT_TOOLS.has(event)) return [];
  const message = `${whole}.matcher has no effect: ${event} is not about a tool.`;
  return [{ below: ["matcher"], code: "NO_EFFECT", message }];
}
