import { PERMISSION_MODES } from "@caliban/agent-core";
import { MODE_DESCRIPTIONS } from "@caliban/tui";
import { COMMANDS } from "../../../cli/table/commands.ts";
import { MEMORY_COMMAND } from "../../../cli/table/memory.ts";
import type { SlashRow, SlashVerb } from "./slash-command.ts";

/** One row per slash command. Feeds completion, `/help` and the docs. */
export const SLASH_COMMANDS: readonly SlashRow[] = [
  {
    name: "help",
    aliases: ["?"],
    doc: "Show the slash commands and keys",
    runsWhileBusy: true,
    load: async () => (await import("./show.ts")).help,
  },
  {
    name: "memory",
    operands: "[verb …]",
    doc: "Show what is remembered; verbs: list, show, search, edit, rm, undo, view, stats …",
    verbs: memoryVerbs,
    takesLong: (words) => words.includes("--now"),
    complete: async () => (await import("./complete-arguments.ts")).memoryArguments,
    load: async () => (await import("./memory.ts")).memory,
  },
  {
    name: "page",
    doc: "Show and edit memory in the browser",
    runsWhileBusy: true,
    load: async () => (await import("./page.ts")).page,
  },
  {
    name: "remember",
    operands: "<text>",
    doc: "Save something to memory; # at the start of a line does the same",
    runsWhileBusy: true,
    load: async () => (await import("./remember.ts")).remember,
  },
  {
    name: "forget",
    operands: "<text>",
    doc: "Ask the agent to forget something",
    load: async () => (await import("./conversations.ts")).forget,
  },
  {
    name: "context",
    doc: "Show what fills the context window",
    runsWhileBusy: true,
    load: async () => (await import("./show.ts")).context,
  },
  {
    name: "cost",
    doc: "Show the tokens, requests and money used by this conversation",
    runsWhileBusy: true,
    load: async () => (await import("./show.ts")).cost,
  },
  {
    name: "model",
    operands: "[name]",
    doc: "Show the model, or switch to another one",
    complete: async () => (await import("./complete-arguments.ts")).modelArguments,
    load: async () => (await import("./settings.ts")).model,
  },
  {
    name: "permissions",
    operands: "[verb …]",
    doc: "Show what the agent may do and why; verbs: allow, ask, deny, mode, forget",
    verbs: () => [...RULES, ...MODES, FORGET],
    runsWhileBusy: true,
    complete: async () => (await import("./complete-arguments.ts")).permissionArguments,
    load: async () => (await import("./permissions.ts")).permissions,
  },
  {
    name: "skills",
    doc: "List the skills that the agent can use",
    runsWhileBusy: true,
    load: async () => (await import("./show.ts")).skills,
  },
  {
    name: "mcp",
    operands: "[reload]",
    doc: "List the MCP servers and their state; reload restarts them and picks up their tools",
    verbs: () => [RELOAD_SERVERS],
    runsWhileBusy: (words) => words.length === 0,
    takesLong: (words) => words[0] === "reload",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  {
    name: "hooks",
    doc: "List the hooks, whether they may run, and what they did last",
    runsWhileBusy: true,
    load: async () => (await import("./hooks.ts")).hooks,
  },
  {
    name: "init",
    doc: "Draft a CLAUDE.md for this project; never overwrites one",
    load: async () => (await import("./init.ts")).init,
  },
  {
    name: "resume",
    operands: "[id]",
    doc: "Resume an earlier conversation",
    complete: async () => (await import("./complete-arguments.ts")).resumeArguments,
    load: async () => (await import("./conversations.ts")).resume,
  },
  {
    name: "rewind",
    operands: "[undo]",
    doc: "Go back to before an earlier message: the conversation, files that tools changed, or both",
    verbs: () => [UNDO_REWIND],
    load: async () => (await import("./rewind.ts")).rewind,
  },
  {
    name: "clear",
    aliases: ["new"],
    doc: "Start a new conversation with the current memory",
    load: async () => (await import("./conversations.ts")).clear,
  },
  {
    name: "compact",
    operands: "[instructions]",
    doc: "Replace the older part of the conversation with a summary; say what it must keep",
    takesLong: true,
    load: async () => (await import("./conversations.ts")).compact,
  },
  {
    name: "diff",
    doc: "Show what changed in the work tree since the last commit",
    runsWhileBusy: true,
    load: async () => (await import("./diff.ts")).diff,
  },
  {
    name: "export",
    operands: "[file]",
    doc: "Write the conversation to a new Markdown file, without secrets",
    load: async () => (await import("./export.ts")).exportConversation,
  },
  {
    name: "copy",
    doc: "Copy the last answer to the clipboard",
    runsWhileBusy: true,
    load: async () => (await import("./copy.ts")).copyAnswer,
  },
  {
    name: "settings",
    operands: "[key [value …]]",
    doc: "Show all settings, show one, or set one",
    verbs: () => COMMANDS.find(({ name }) => name === "settings")?.subcommands ?? [],
    complete: async () => (await import("./complete-arguments.ts")).settingsArguments,
    load: async () => (await import("./settings.ts")).settings,
  },
  {
    name: "quit",
    aliases: ["exit"],
    doc: "Quit; the conversation is saved",
    runsWhileBusy: true,
    load: async () => async () => ({ kind: "quit" }),
  },
];

/** Whether a name, or an alias, is in the table. */
export function isBuiltIn(name: string): boolean {
  const wanted = name.toLowerCase();
  return SLASH_COMMANDS.some(
    (row) => row.name === wanted || row.aliases?.includes(wanted) === true,
  );
}

/** The verbs of `/memory`. */
export function memoryVerbs(): readonly SlashVerb[] {
  return [...(MEMORY_COMMAND.subcommands ?? []), RELOAD];
}

const RELOAD: SlashVerb = { name: "reload", doc: "Read memory again and rebuild the prompt" };

const RELOAD_SERVERS: SlashVerb = {
  name: "reload",
  doc: "Restart the servers and rebuild the prompt with their current tools",
};

const UNDO_REWIND: SlashVerb = { name: "undo", doc: "Undo the last rewind" };

const MODES: readonly SlashVerb[] = PERMISSION_MODES.map((mode) => ({
  name: `mode ${mode}`,
  doc: MODE_DESCRIPTIONS[mode],
}));

const RULES: readonly SlashVerb[] = [
  { name: "allow", operands: "<rule>", doc: "Let calls that match run without a question" },
  { name: "ask", operands: "<rule>", doc: "Ask about calls that match, each time" },
  { name: "deny", operands: "<rule>", doc: "Refuse calls that match" },
];

const FORGET: SlashVerb = { name: "forget", doc: 'Revoke an answer "always"' };
