import { explainMemory, showMemory } from "../commands/memory.ts";
import type { CommandRow, OptionRow } from "./command-row.ts";

const JSON_OPTION: OptionRow = { flags: "--json", doc: "Print JSON for programs." };
const ALLOW_SECRETS: OptionRow = {
  flags: "--allow-secrets",
  doc: "Write it although it looks like a secret.",
};

/** Verbs of what is learned from past sessions. */
const PIPELINE_COMMANDS: readonly CommandRow[] = [
  {
    name: "view",
    doc: "Print what was learned from past sessions, exactly as a new session gets it.",
    options: [JSON_OPTION],
    load: async () => (await import("../commands/pipeline/view.ts")).viewLearned,
  },
  {
    name: "stats",
    doc: "Show how learning from past sessions goes: the last run, what waits, what failed, what it cost.",
    options: [JSON_OPTION],
    load: async () => (await import("../commands/pipeline/stats.ts")).showStats,
  },
  rebuild(
    "rebuild",
    "Go through everything that was learned again, at the next start; `--now`: at once; `--now --recent`: with the sessions of the last hours.",
  ),
  rebuild("enqueue", "The same as rebuild."),
  {
    name: "retry",
    doc: "Give what failed or waits new attempts.",
    options: [JSON_OPTION],
    load: async () => (await import("../commands/pipeline/retry.ts")).retryFailed,
  },
  clear(
    "clear",
    "Remove what was learned from past sessions; nothing is learned from those again.",
  ),
  clear("reset", "The same as clear."),
];

function rebuild(name: string, doc: string): CommandRow {
  return {
    name,
    doc,
    options: [
      { flags: "--now", doc: "Read what is due and do it now, and wait for it." },
      { flags: "--recent", doc: "With --now: also sessions that were used a short while ago." },
      JSON_OPTION,
    ],
    load: async () => (await import("../commands/pipeline/rebuild.ts")).rebuildLearned,
  };
}

function clear(name: string, doc: string): CommandRow {
  return {
    name,
    doc,
    options: [
      { flags: "--all", doc: "Of every project." },
      { flags: "--force", doc: "Do not ask." },
      JSON_OPTION,
    ],
    load: async () => (await import("../commands/pipeline/clear.ts")).clearLearned,
  };
}

/** `caliban memory` and its verbs. */
export const MEMORY_COMMAND: CommandRow = {
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
      name: "list",
      doc: "List the topics that the agent keeps, newest first.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/topics/list.ts")).listTopics,
    },
    {
      name: "show",
      operands: "<slug>",
      doc: "Show one topic.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/topics/show.ts")).showTopic,
    },
    {
      name: "search",
      operands: "<words...>",
      doc: "Find topics, what was learned, and what was said in past sessions, by words or a question.",
      options: [
        { flags: "--limit <number>", doc: "Most hits of each list (8)." },
        { flags: "--kind <kind>", doc: "topics, sessions or all (all)." },
        {
          flags: "--type <type>",
          doc: "Only topics of this type: user, feedback, project or reference.",
        },
        {
          flags: "--since <time>",
          doc: "Only what is from then on: 2026-10-01, or 12h, 7d, 2w, 3m (months), 1y.",
        },
        JSON_OPTION,
      ],
      load: async () => (await import("../commands/topics/search.ts")).searchMemory,
    },
    {
      name: "read",
      operands: "<url>",
      doc: "Print what is at `memory://root` (the summary), `memory://root/` (a list of all files), `memory://root/<path>`, `memory://index`, `memory://topics`, `memory://topics/<slug>` or `memory://prefix`.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/topics/read.ts")).readMemoryUrl,
    },
    {
      name: "path",
      operands: "[slug]",
      doc: "Print where the topics are, or where one is.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/topics/path.ts")).showPath,
    },
    {
      name: "write",
      operands: "<slug>",
      doc: "Write a topic; its text comes from stdin.",
      options: [
        { flags: "--type <type>", doc: "user, feedback, project or reference." },
        { flags: "--description <line>", doc: "The line that the index shows." },
        { flags: "--replace", doc: "Replace a topic of that name." },
        ALLOW_SECRETS,
        JSON_OPTION,
      ],
      load: async () => (await import("../commands/topics/write.ts")).writeTopic,
    },
    {
      name: "edit",
      operands: "<what>",
      doc: "Open `global`, `project` or a topic in $VISUAL or $EDITOR; a topic is checked afterwards.",
      options: [ALLOW_SECRETS, JSON_OPTION],
      load: async () => (await import("../commands/topics/edit.ts")).editMemory,
    },
    {
      name: "mv",
      operands: "<slug> <new>",
      doc: "Rename a topic, and the links to it.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/topics/rename.ts")).renameTopic,
    },
    {
      name: "rm",
      operands: "<slug>",
      doc: "Remove a topic; `undo` brings it back.",
      options: [
        { flags: "--purge", doc: "Take it out of the history, too: for good." },
        { flags: "--force", doc: "Do not ask." },
        JSON_OPTION,
      ],
      load: async () => (await import("../commands/topics/remove.ts")).removeTopic,
    },
    {
      name: "rebuild-index",
      doc: "Make the lines of the index anew from the topics; what you wrote into it stays.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/topics/rebuild-index.ts")).rebuildIndex,
    },
    {
      name: "doctor",
      doc: "Look for what is wrong with the topics and the index.",
      options: [{ flags: "--fix", doc: "Mend what can be mended." }, JSON_OPTION],
      load: async () => (await import("../commands/topics/doctor.ts")).examineMemory,
    },
    {
      name: "log",
      operands: "[slug]",
      doc: "Show what was changed, when and by whom.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/topics/log.ts")).showLog,
    },
    {
      name: "undo",
      operands: "[id]",
      doc: "Put back what was there before the last change, or before another one; `--generation`: what was learned before the last time.",
      options: [
        {
          flags: "--generation",
          doc: "Of what was learned from past sessions instead, by one; it takes no number.",
        },
        { flags: "--force", doc: "Also when the topic changed since." },
        ALLOW_SECRETS,
        JSON_OPTION,
      ],
      load: async () => (await import("../commands/topics/undo.ts")).undoChange,
    },
    {
      name: "import",
      operands: "[path]",
      doc: "Take over what another agent remembers: topics of this project, and your instructions for everywhere. Nothing is overwritten, and nothing changed over there. Shows what it would do first.",
      options: [
        {
          flags: "--from <source>",
          doc: "claude, codex, gemini, agents-md, dir, or a path (claude). A path is a directory of Markdown files, a file, or what `export --to json` wrote.",
        },
        {
          flags: "--all",
          doc: "Also what does not name this project, of a memory for all of them.",
        },
        { flags: "--yes", doc: "Copy without asking." },
        JSON_OPTION,
      ],
      load: async () => (await import("../commands/exchange/import.ts")).importMemory,
    },
    {
      name: "export",
      doc: "Hand the topics to another agent, or to a program.",
      options: [
        { flags: "--to <form>", doc: "claude, agents-md, json or tar." },
        {
          flags: "--output <path>",
          doc: "A directory for claude (that of Claude Code for this project), a file for the others (stdout).",
        },
        { flags: "--replace", doc: "With claude: also files that have another text there." },
        { flags: "--yes", doc: "Write into Claude Code's directory without asking." },
        { flags: "--allow-secrets", doc: "Also what looks like a secret." },
        JSON_OPTION,
      ],
      load: async () => (await import("../commands/exchange/export.ts")).exportMemory,
    },
    {
      name: "approve",
      operands: "<file>",
      doc: "Let this workspace import a file from outside it, as the file is now.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/memory-approve.ts")).approveImport,
    },
    {
      name: "adopt",
      doc: "Take over the memory of this repository from the place it was moved from.",
      options: [JSON_OPTION],
      load: async () => (await import("../commands/memory-adopt.ts")).adoptMemory,
    },
    ...PIPELINE_COMMANDS,
  ],
};
