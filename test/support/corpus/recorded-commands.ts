import type { RunInput } from "./copy-corpus.ts";

export interface RecordedCommand extends RunInput {
  readonly args: readonly string[];
}

type Commands = Readonly<Record<string, RecordedCommand>>;

/** Replaces the default system prompt, to mark where memory ends. */
export const BODY = "THE-BODY-OF-THE-PROMPT";

const prompt = (input: RunInput & { readonly flags?: readonly string[] } = {}): RecordedCommand => {
  const { flags = [], ...rest } = input;
  return { args: ["prompt", "--system", BODY, ...flags], ...rest };
};

const SHORT = { CALIBAN_DISABLE_AUTO_MEMORY: "1" };

/** Prompts of which everything before the body is compared byte for byte. */
export const PREFIXES: Commands = {
  whole: prompt(),
  "in-a-subdirectory": prompt({ project: "app/src" }),
  "with-approved-imports": prompt({ env: { ...SHORT, CALIBAN_APPROVE_IMPORTS: "1" } }),
  "with-an-added-directory": prompt({
    env: { CALIBAN_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" },
  }),
  "cut-to-900-tokens": prompt({ env: { CALIBAN_MEMORY_BUDGET_TOKENS: "900" } }),
  "cut-to-300-tokens": prompt({ env: { CALIBAN_MEMORY_BUDGET_TOKENS: "300" } }),
  "without-auto-memory": prompt({ env: SHORT }),
  "without-the-walk": prompt({ env: { ...SHORT, CALIBAN_DISABLE_CLAUDE_MD_WALK: "1" } }),
  "with-excludes": prompt({ env: { ...SHORT, CALIBAN_CLAUDE_MD_EXCLUDES: "AGENTS.md" } }),
  "without-memory": prompt({ flags: ["--no-memory"] }),
  bare: prompt({ flags: ["--bare"] }),
  "of-an-interrupted-write": prompt({ project: "interrupted" }),
};

const json = (...args: readonly string[]): RecordedCommand => ({ args: [...args, "--json"] });

/** Commands that change nothing. All of them run in one copy of the corpus. */
export const READING: Commands = {
  memory: json("memory"),
  "memory-explain-cut": {
    ...json("memory", "explain"),
    env: { CALIBAN_MEMORY_BUDGET_TOKENS: "300" },
  },
  "memory-list": json("memory", "list"),
  "memory-show": json("memory", "show", "deploy"),
  "memory-show-flat-format": json("memory", "show", "ci_flakes"),
  "memory-show-unicode": json("memory", "show", "größe-日本"),
  "memory-search": json("memory", "search", "deploy"),
  "memory-search-topics": json("memory", "search", "東京", "helix", "--kind", "topics"),
  "memory-search-type": json("memory", "search", "pull", "requests", "--type", "feedback"),
  "memory-search-since": json("memory", "search", "bucket", "--since", "2w"),
  "memory-search-nothing": json("memory", "search", "xylophone"),
  "memory-read-index": json("memory", "read", "memory://index"),
  "memory-read-topics": json("memory", "read", "memory://topics"),
  "memory-read-topic": json("memory", "read", "memory://topics/reviews"),
  "memory-read-root": json("memory", "read", "memory://root"),
  "memory-read-root-list": json("memory", "read", "memory://root/"),
  "memory-read-root-file": json("memory", "read", "memory://root/MEMORY.md"),
  "memory-path": json("memory", "path"),
  "memory-path-topic": json("memory", "path", "editor"),
  "memory-log": json("memory", "log"),
  "memory-log-topic": json("memory", "log", "scratch"),
  "memory-doctor": json("memory", "doctor"),
  "memory-view": json("memory", "view"),
  "memory-stats": json("memory", "stats"),
  "memory-export": { args: ["memory", "export", "--to", "json"] },
  "memory-import-plan": json("memory", "import", "--from", "dir", "../notes/imported"),
  sessions: json("sessions"),
  "sessions-limit": json("sessions", "--limit", "2"),
  "mcp-list": json("mcp", "list"),
  settings: json("settings"),
  "settings-get": json("settings", "get", "permissions.deny"),
};

const WRITE_FLAT = "memory write ci_flakes --type project --description fixed".split(" ");

/** Commands that change data. Each runs in a copy of its own. */
export const CHANGING: Commands = {
  "memory-write": {
    ...json("memory", "write", "fresh", "--type", "user", "--description", "a new topic"),
    stdin: "Written by a later version.\n",
  },
  "memory-write-in-a-new-project": {
    ...json("memory", "write", "first", "--type", "user", "--description", "the first topic"),
    stdin: "Text.\n",
    project: "notes",
  },
  "memory-write-to-flat-format": {
    args: [...WRITE_FLAT, "--replace", "--json"],
    stdin: "Fixed.\n",
  },
  "memory-mv": json("memory", "mv", "deploy", "shipping"),
  "memory-rm": json("memory", "rm", "deploy", "--force"),
  "memory-rm-purge": json("memory", "rm", "deploy", "--purge", "--force"),
  "memory-undo": json("memory", "undo"),
  "memory-rebuild-index": json("memory", "rebuild-index"),
  "memory-doctor-fix": json("memory", "doctor", "--fix"),
  "memory-approve": json("memory", "approve", "../notes/unapproved.md"),
  "memory-undo-generation": json("memory", "undo", "--generation"),
  "memory-rebuild": json("memory", "rebuild"),
  "memory-rebuild-now": json("memory", "rebuild", "--now", "--recent"),
  "memory-retry": json("memory", "retry"),
  "memory-clear": json("memory", "clear", "--force"),
  "sessions-rm": json("sessions", "rm", "release", "--force"),
  "mcp-forget": json("mcp", "forget", "tickets"),
  "answer-that-saves": {
    args: ["-p", "remember that the printer is called Ariel", "--output-format", "stream-json"],
  },
};

/** Answers of the offline model, one object per line. Each runs in a copy of its own. */
export const ANSWERS: Commands = {
  "answer-stream-json": { args: ["-p", "how do we deploy?", "--output-format", "stream-json"] },
  "answer-json": { args: ["-p", "how do we deploy?", "--output-format", "json"] },
  "answer-to-lines": {
    args: ["-p", "--input-format", "stream-json", "--output-format", "stream-json"],
    stdin: '{"type":"user","text":"hello"}\nnot JSON\n',
  },
};

const setting = (name: string, value: string, key: string): RecordedCommand => ({
  ...json("settings", "get", key),
  env: { [name]: value },
});
const path = (name: string, value: string): RecordedCommand => ({
  ...json("memory", "path"),
  env: { [name]: value },
});

/** Environment variables, each with a command that shows its effect. Those that change the prompt are in PREFIXES. */
export const VARIABLES: Commands = {
  CALIBAN_MODEL: setting("CALIBAN_MODEL", "openai/gpt", "models.default"),
  CALIBAN_DISABLE_AUTO_MEMORY: setting("CALIBAN_DISABLE_AUTO_MEMORY", "yes", "memory.auto"),
  CALIBAN_AUTO_MEMORY_DIRECTORY: path("CALIBAN_AUTO_MEMORY_DIRECTORY", "~/elsewhere"),
  CALIBAN_MEMORY_DIR: path("CALIBAN_MEMORY_DIR", "~/all-memory"),
  CALIBAN_MEMORY_BUDGET_TOKENS: setting(
    "CALIBAN_MEMORY_BUDGET_TOKENS",
    "77",
    "memory.cap_tokens_combined",
  ),
  CALIBAN_MEMORY_CAP_TOKENS_AUTO: setting(
    "CALIBAN_MEMORY_CAP_TOKENS_AUTO",
    "77",
    "memory.cap_tokens_auto",
  ),
  CALIBAN_MEMORY_CAP_TOKENS_CLAUDE_MD: setting(
    "CALIBAN_MEMORY_CAP_TOKENS_CLAUDE_MD",
    "77",
    "memory.cap_tokens_claude_md",
  ),
  CALIBAN_CLAUDE_MD_EXCLUDES: setting("CALIBAN_CLAUDE_MD_EXCLUDES", "a:b", "claude_md_excludes"),
  XDG_CONFIG_HOME: setting("XDG_CONFIG_HOME", "/nowhere/config", "models.default"),
  XDG_DATA_HOME: path("XDG_DATA_HOME", "/nowhere/data"),
  XDG_STATE_HOME: { ...json("mcp", "list"), env: { XDG_STATE_HOME: "/nowhere/state" } },
};

/** Command lines of which only the exit code is compared. */
export const EXIT_CODES: readonly RecordedCommand[] = [
  ...[
    ["--version"],
    ["--help"],
    ["memory", "--help"],
    ["memry"],
    ["--nonsense"],
    ["memory", "nonsense"],
    ["memory", "list", "--nonsense"],
    ["memory", "show"],
    ["memory", "show", "deploy"],
    ["memory", "show", "nothing-here"],
    ["memory", "show", "../deploy"],
    ["memory", "search", "deploy"],
    ["memory", "search", "xylophone"],
    ["memory", "search", "deploy", "--limit", "0"],
    ["memory", "search", "deploy", "--kind", "nonsense"],
    ["memory", "search", "deploy", "--since", "nonsense"],
    ["memory", "read", "memory://topics/nothing-here"],
    ["memory", "read", "memory://nonsense"],
    ["memory", "read", "https://example.com"],
    ["memory", "doctor"],
    ["memory", "log", "nothing-here"],
    ["memory", "undo", "ffffffff"],
    ["memory", "undo", "--generation", "3"],
    ["memory", "rm", "deploy"],
    ["memory", "rm", "nothing-here", "--force"],
    ["memory", "mv", "nothing-here", "other"],
    ["memory", "mv", "deploy", "editor"],
    ["memory", "edit", "deploy"],
    ["memory", "approve", "nothing-here.md"],
    ["memory", "adopt"],
    ["memory", "import", "--from", "dir", "../nothing-here"],
    ["memory", "import", "--from", "dir", "../notes/imported"],
    ["memory", "export", "--to", "nonsense"],
    ["memory", "rebuild", "--recent"],
    ["memory", "clear"],
    ["sessions", "--limit", "nonsense"],
    ["sessions", "export", "release"],
    ["sessions", "export", "nothing-here"],
    ["sessions", "export", "2026"],
    ["sessions", "rm", "nothing-here", "--force"],
    ["mcp", "approve", "nothing-here", "--yes"],
    ["mcp", "forget", "nothing-here"],
    ["mcp", "--http", "nonsense"],
    ["settings", "get", "memory.auto"],
    ["settings", "get", "memory.nonsense"],
    ["settings", "set", "memory.auto", "nonsense"],
    ["settings", "unset", "memory.nonsense"],
    ["doctor"],
    ["--workspace", "nothing-here", "memory"],
    ["--allow", "no rule (", "memory"],
    ["-p", "hi", "--output-format", "nonsense"],
    ["-p", "hi", "--mode", "nonsense"],
    ["-p", "hi", "--max-turns", "0"],
    ["-p", "hi", "--model", "nonsense"],
    ["-p", "hi", "--model", "nonsense/m"],
    ["-p", "hi", "--system", "a", "--system-file", "b"],
    ["-p", "hi", "--system-file", "nothing-here"],
    ["-p", "hi", "--continue", "--resume", "release"],
    ["-p", "hi", "--session", "a", "--no-save"],
    ["-p", "hi", "--resume", "nothing-here"],
    ["-p", "how do we deploy?", "--no-save"],
    ["-p", "how do we deploy?", "--no-save", "--max-turns", "1"],
    ["-p", "remember that it rains", "--no-save", "--deny", "memory.write"],
    ["-p"],
  ].map((args) => ({ args })),
  { args: ["memory", "write", "deploy"], stdin: "Text.\n" },
  {
    args: ["memory", "write", "deploy", "--type", "user", "--description", "d"],
    stdin: "Text.\n",
  },
  {
    args: ["memory", "write", "fresh", "--type", "nonsense", "--description", "d"],
    stdin: "Text.\n",
  },
  { args: ["memory", "write", "a/b", "--type", "user", "--description", "d"], stdin: "Text.\n" },
  { args: ["memory", "write", "fresh", "--type", "user", "--description", "d"], stdin: "" },
  { args: ["memory"], env: { CALIBAN_DISABLE_AUTO_MEMORY: "nonsense" } },
  { args: ["memory"], env: { CALIBAN_MEMORY_BUDGET_TOKENS: "nonsense" } },
];

/** Returns the name of a command in the list of exit codes. */
export function commandLine({ args, stdin, env = {} }: RecordedCommand): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const words = args.map((arg) => (/^[\w./:-]+$/.test(arg) ? arg : `'${arg}'`));
  const input = stdin === undefined ? [] : [`<<< ${JSON.stringify(stdin)}`];
  return [...variables, "caliban", ...words, ...input].join(" ");
}
