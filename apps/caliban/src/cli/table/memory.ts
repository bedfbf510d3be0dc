import { type CommandRow, JSON_OPTION, type OptionRow } from "./command-row.ts";
import { ENFORCE_COMMANDS, INBOX_COMMANDS } from "./memory-decisions.ts";
import { EXCHANGE_COMMANDS, LEARNED_COMMANDS } from "./memory-learned.ts";
import { TEAM_COMMANDS } from "./memory-team.ts";

const ALLOW_SECRETS: OptionRow = {
  flags: "--allow-secrets",
  doc: "Write text that looks like a secret",
};

/** What a topic says about itself. An empty value removes all values of a replaced topic. */
const FIELD_OPTIONS: readonly OptionRow[] = [
  {
    flags: "--applies-path <glob>",
    doc: "Files it applies to, e.g. 'src/db/**' (repeatable)",
    repeatable: true,
  },
  {
    flags: "--applies-command <pattern>",
    doc: "Commands it applies to, e.g. 'npm *' (repeatable)",
    repeatable: true,
  },
  {
    flags: "--supersedes <slug>",
    doc: "An older topic that it replaces (repeatable)",
    repeatable: true,
  },
  {
    flags: "--expect <text>",
    doc: "A question with its answer that learned memory must keep (repeatable)",
    repeatable: true,
  },
];

const READ_COMMANDS: readonly CommandRow[] = [
  {
    name: "explain",
    doc: "Explain which files were loaded, cut or skipped, and why",
    example: { command: "memory explain" },
  },
  {
    name: "list",
    aliases: ["ls"],
    doc: "List topics, newest first",
    example: { command: "memory list" },
  },
  {
    name: "show",
    operands: "<slug>",
    doc: "Show one topic",
    example: { command: "memory show deploy-checklist" },
  },
  {
    name: "search",
    operands: "<words...>",
    doc: "Search topics, learned memory and past sessions",
    example: { command: 'memory search "how do we deploy" --since 30d' },
    options: [
      { flags: "--limit <number>", doc: "Show at most this many hits in each list (default 8)" },
      { flags: "--kind <kind>", doc: "topics, sessions or all (default all)" },
      { flags: "--type <type>", doc: "Only topics of type user, feedback, project or reference" },
      {
        flags: "--since <time>",
        doc: "Only newer ones: 2026-10-01, or 12h, 7d, 2w, 3m (months), 1y",
      },
      { flags: "--why", doc: "Show the parts of each score" },
    ],
  },
  {
    name: "read",
    operands: "<url>",
    doc: "Print what a memory:// address refers to",
    details:
      "Addresses: `memory://root` (the learned summary), `memory://root/` (a list of its files), `memory://root/<path>`, `memory://index`, `memory://topics`, `memory://topics/<slug>`, the last three below `memory://user/` and `memory://team/`, and `memory://prefix`.",
    example: { command: "memory read memory://topics/deploy-checklist" },
  },
  {
    name: "path",
    operands: "[slug]",
    doc: "Print the path of the memory directory or of one topic",
    example: 'cd "$(caliban memory path)"',
  },
  {
    name: "doctor",
    doc: "Check the topics and the index for problems",
    example: { command: "memory doctor --fix" },
    options: [{ flags: "--fix", doc: "Fix what can be fixed automatically" }],
  },
];

const WRITE_COMMANDS: readonly CommandRow[] = [
  {
    name: "write",
    operands: "<slug>",
    doc: "Write a topic, with the text from --text or from stdin",
    details:
      "With --text, the type is `project` (`user` with --user) and the description is the first line of the text, unless they are given.",
    example: { command: 'memory write ports --text "The API listens on 8080."' },
    options: [
      { flags: "--text <text>", doc: "The text; without it, stdin is read" },
      { flags: "--type <type>", doc: "user, feedback, project or reference" },
      { flags: "--description <line>", doc: "The line shown in the index" },
      { flags: "--replace", doc: "Replace an existing topic of this name" },
      ...FIELD_OPTIONS,
      ALLOW_SECRETS,
    ],
  },
  {
    name: "edit",
    operands: "<target>",
    doc: "Edit `global`, `project` or a topic in $VISUAL, $EDITOR, vi or nano",
    details: "A topic is checked before it is saved.",
    example: { command: "memory edit project" },
    options: [ALLOW_SECRETS],
  },
  {
    name: "mv",
    operands: "<slug> <new>",
    doc: "Rename a topic and the `[[links]]` to it",
    example: { command: "memory mv deploy deploy-checklist" },
  },
  {
    name: "rm",
    operands: "<slug>",
    doc: "Remove a topic; `undo` restores it",
    example: { command: "memory rm deploy-checklist" },
    options: [
      { flags: "--purge", doc: "Erase it from the history too; this cannot be undone" },
      { flags: "--force", doc: "Do not ask for confirmation" },
    ],
  },
  {
    name: "forget",
    operands: "<words...>",
    doc: "Find a topic by what it says, and keep it from being remembered again",
    details:
      "Also keeps what learned memory and past sessions say about it from coming back, until you say it again. `restore` brings it back.",
    example: { command: 'memory forget "pnpm ship"' },
    options: [{ flags: "--yes", doc: "Do not ask for confirmation" }],
  },
  {
    name: "move",
    operands: "<slug>",
    doc: "Move a topic to your own memory, or back to this project",
    details:
      "What is moved to `user` holds in every project. A text that names this workspace is not moved there.",
    example: { command: "memory move tabs --to user" },
    options: [{ flags: "--to <scope>", doc: "user or project" }, ALLOW_SECRETS],
  },
  {
    name: "rebuild-index",
    doc: "Rebuild the index from the topic files",
    details: "Hand-written text in the index is kept.",
    example: { command: "memory rebuild-index" },
  },
  {
    name: "approve",
    operands: "<file>",
    doc: "Let this workspace import a file from outside it",
    details: "The approval covers the file as it is now; a changed file needs a new approval.",
    example: { command: "memory approve ~/notes/style.md" },
  },
  {
    name: "adopt",
    doc: "Use the memory that this repository had before it moved",
    example: { command: "memory adopt" },
  },
];

const HISTORY_COMMANDS: readonly CommandRow[] = [
  {
    name: "log",
    operands: "[slug]",
    doc: "Show what changed, when, and who changed it",
    example: { command: "memory log deploy-checklist" },
  },
  {
    name: "diff",
    operands: "[id]",
    doc: "Show the text that the last change, or the change with this id, removed and added",
    details: "An id may be abbreviated. `log` lists the ids.",
    example: { command: "memory diff 3fa9" },
  },
  {
    name: "undo",
    operands: "[id]",
    doc: "Undo the last change, or the change with this id",
    example: { command: "memory undo" },
    options: [
      {
        flags: "--generation",
        doc: "Restore the learned memory from before the last run instead",
      },
      { flags: "--force", doc: "Undo even if the topic changed since" },
      ALLOW_SECRETS,
    ],
  },
  {
    name: "restore",
    operands: "[name]",
    doc: "Bring back a topic that was removed or forgotten; without a name, list them",
    example: { command: "memory restore deploy-checklist" },
    options: [ALLOW_SECRETS],
  },
];

const USER_OPTION: OptionRow = {
  flags: "--user",
  doc: "Use the topics about you, which hold in every project",
};

const WITH_USER: ReadonlySet<string> = new Set([
  "list",
  "show",
  "search",
  "read",
  "path",
  "doctor",
  "write",
  "edit",
  "mv",
  "rm",
  "rebuild-index",
  "inbox",
  "backtest",
  "log",
  "diff",
  "undo",
  "import",
  "export",
  "forget",
  "restore",
]);

/** `caliban memory` and its subcommands. */
export const MEMORY_COMMAND: CommandRow = {
  name: "memory",
  doc: "Show, search and edit what the agent remembers",
  details:
    "Without a subcommand, shows the memory tiers of this directory with their paths and token counts.",
  example: { command: "memory" },
  options: [JSON_OPTION],
  subcommands: [
    ...inGroup("Read", READ_COMMANDS),
    ...inGroup("Write", WRITE_COMMANDS),
    ...inGroup("Inbox", INBOX_COMMANDS),
    ...inGroup("Enforce", ENFORCE_COMMANDS),
    ...inGroup("History", HISTORY_COMMANDS),
    ...inGroup("Learned memory", LEARNED_COMMANDS),
    ...inGroup("Team", TEAM_COMMANDS),
    ...inGroup("Import and export", EXCHANGE_COMMANDS),
  ],
};

/** All of them print JSON on request, and those about topics can be about the user's. */
function inGroup(group: string, rows: readonly CommandRow[]): readonly CommandRow[] {
  return rows.map(({ options = [], ...row }) => ({
    ...row,
    group,
    options: [...options, ...(WITH_USER.has(row.name) ? [USER_OPTION] : []), JSON_OPTION],
  }));
}
