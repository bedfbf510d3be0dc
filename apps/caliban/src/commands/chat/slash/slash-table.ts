import { COMMANDS } from "../../../cli/table/commands.ts";
import { MEMORY_COMMAND } from "../../../cli/table/memory.ts";
import type { CommandRow } from "../../../cli/table/command-row.ts";
import type { SlashRow, SlashVerb } from "./slash-command.ts";

/** One row per slash command. Completion, `/help` and the docs are made from this table. */
export const SLASH_COMMANDS: readonly SlashRow[] = [
  {
    name: "help",
    aliases: ["?"],
    doc: "Show the slash commands and the keys.",
    isAlwaysReady: true,
    load: async () => (await import("./help.ts")).help,
  },
  {
    name: "memory",
    operands: "[verb …]",
    doc: "Show what is remembered; with a verb: list, show, search, edit, rm, undo, view, stats …",
    verbs: memoryVerbs,
    asksModel: (words) => words.includes("--now"),
    load: async () => (await import("./memory.ts")).memory,
  },
  {
    name: "remember",
    operands: "<text>",
    doc: "Ask the agent to remember something.",
    load: async () => (await import("./remember.ts")).remember,
  },
  {
    name: "forget",
    operands: "<text>",
    doc: "Ask the agent to forget something.",
    load: async () => (await import("./remember.ts")).forget,
  },
  {
    name: "context",
    doc: "Show what fills the model's window.",
    isAlwaysReady: true,
    load: async () => (await import("./context.ts")).context,
  },
  {
    name: "cost",
    doc: "Show the tokens and requests of this conversation.",
    isAlwaysReady: true,
    load: async () => (await import("./cost.ts")).cost,
  },
  {
    name: "model",
    operands: "[provider/model]",
    doc: "Show the model, or go on with another one.",
    load: async () => (await import("./model.ts")).model,
  },
  {
    name: "permissions",
    operands: "[verb …]",
    doc: "Show what the agent may do and why; with a verb: mode, or forget for an “always” of yours.",
    verbs: () => [...MODES, FORGET],
    load: async () => (await import("./permissions.ts")).permissions,
  },
  {
    name: "skills",
    doc: "List the skills that the agent can take up.",
    isAlwaysReady: true,
    load: async () => (await import("./skills.ts")).skills,
  },
  {
    name: "mcp",
    operands: "[reload]",
    doc: "List the MCP servers and how each of them is; with reload, start them anew and take up what they offer.",
    verbs: () => [RELOAD_SERVERS],
    isAlwaysReady: (words) => words.length === 0,
    asksModel: (words) => words[0] === "reload",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  {
    name: "init",
    doc: "Draft a CLAUDE.md for this project; nothing is overwritten.",
    load: async () => (await import("./init.ts")).init,
  },
  {
    name: "resume",
    operands: "[id]",
    doc: "Go on with an earlier conversation.",
    load: async () => (await import("./resume.ts")).resume,
  },
  {
    name: "clear",
    aliases: ["new"],
    doc: "Begin a new conversation with the memory as it is now.",
    load: async () => (await import("./clear.ts")).clear,
  },
  {
    name: "compact",
    operands: "[wish]",
    doc: "Replace the older part of the conversation by a summary; say what it must keep.",
    asksModel: true,
    load: async () => (await import("./compact.ts")).compact,
  },
  {
    name: "settings",
    operands: "[key [value …]]",
    doc: "Show every setting, one of them, or set it.",
    verbs: () => verbsOf(COMMANDS.find(({ name }) => name === "settings")),
    load: async () => (await import("./settings.ts")).settings,
  },
  {
    name: "quit",
    aliases: ["exit"],
    doc: "Leave; the conversation is kept.",
    isAlwaysReady: true,
    load: async () => async () => ({ kind: "quit" }),
  },
];

/** What `/memory` can do. */
export function memoryVerbs(): readonly SlashVerb[] {
  return [...verbsOf(MEMORY_COMMAND), RELOAD];
}

const RELOAD: SlashVerb = { name: "reload", doc: "Read memory again and build the prompt anew." };

const RELOAD_SERVERS: SlashVerb = {
  name: "reload",
  doc: "Start the servers anew and build the prompt with the tools that they offer now.",
};

const MODES: readonly SlashVerb[] = [
  { name: "mode default", doc: "Writes and commands are asked about." },
  { name: "mode accept-edits", doc: "Changes of files in the workspace are not asked about." },
  { name: "mode plan", doc: "Nothing is changed." },
  { name: "mode yolo", doc: "Nothing is asked about." },
];

const FORGET: SlashVerb = { name: "forget", doc: "Ask again about what you answered “always” to." };

function verbsOf(row: CommandRow | undefined): readonly SlashVerb[] {
  return row?.subcommands?.map(({ name, operands, doc }) => ({ name, operands, doc })) ?? [];
}
