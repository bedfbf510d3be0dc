import { join } from "node:path";
import type { Environment } from "@caliban/common";
import type { HookAgent } from "../hook-event.ts";
import { opencodePlugin, piExtension } from "./plugin-text.ts";

/** Where hooks are installed. */
export type HookScope = "user" | "project";

/** An agent that caliban can be called by. */
export interface AgentTarget {
  readonly agent: HookAgent;
  readonly title: string;
  /** The name of its program. */
  readonly program: string;
  /** The directory of the user's configuration. */
  readonly userDirectory: (env: Environment, home: string) => string;
  /** The same in a workspace. */
  readonly projectDirectory: string;
  /** The file in that directory. */
  readonly file: Readonly<Record<HookScope, string>>;
  readonly content: HookContent;
  /** What the user must do besides. */
  readonly afterInstall?: string;
}

/** Entries in a JSON file, or a file of our own. */
type HookContent =
  | {
      readonly kind: "entries";
      readonly events: readonly HookedEvent[];
      /** Further fields of each entry, such as its time limit. */
      readonly fields: Readonly<Record<string, string | number>>;
    }
  | { readonly kind: "plugin"; readonly render: (command: readonly string[]) => string };

export interface HookedEvent {
  readonly name: string;
  /** A regular expression for the names of tools. */
  readonly matcher?: string;
}

const TIMEOUT_SECONDS = 5;
const TIMEOUT_MS = 1_000 * TIMEOUT_SECONDS;

/** By what each agent documents. docs/hooks-for-other-agents.md says what was tried. */
export const AGENT_TARGETS: Readonly<Record<HookAgent, AgentTarget>> = {
  claude: {
    agent: "claude",
    title: "Claude Code",
    program: "claude",
    userDirectory: (env, home) => env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"),
    projectDirectory: ".claude",
    // The local file, because the other one is shared with people who may not have caliban.
    file: { user: "settings.json", project: "settings.local.json" },
    content: {
      kind: "entries",
      events: [
        { name: "SessionStart" },
        { name: "UserPromptSubmit" },
        {
          name: "PostToolUse",
          matcher: tools("Read", "Edit", "MultiEdit", "Write", "Bash", "Grep", "Glob"),
        },
        { name: "PostToolUseFailure", matcher: tools("Edit", "MultiEdit", "Bash") },
      ],
      fields: { timeout: TIMEOUT_SECONDS },
    },
  },
  codex: {
    agent: "codex",
    title: "Codex",
    program: "codex",
    userDirectory: (env, home) => env["CODEX_HOME"] || join(home, ".codex"),
    projectDirectory: ".codex",
    file: { user: "hooks.json", project: "hooks.json" },
    content: {
      kind: "entries",
      events: [
        { name: "SessionStart" },
        { name: "UserPromptSubmit" },
        { name: "PostToolUse", matcher: tools("Bash", "apply_patch") },
      ],
      fields: { timeout: TIMEOUT_SECONDS },
    },
    afterInstall:
      "Codex runs new hooks only after you have trusted them: start codex and type /hooks",
  },
  gemini: {
    agent: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    userDirectory: (env, home) => join(env["GEMINI_CLI_HOME"] || home, ".gemini"),
    projectDirectory: ".gemini",
    file: { user: "settings.json", project: "settings.json" },
    content: {
      kind: "entries",
      events: [
        { name: "SessionStart" },
        { name: "BeforeAgent" },
        {
          name: "AfterTool",
          matcher: tools(
            "read_file",
            "replace",
            "write_file",
            "run_shell_command",
            "search_file_content",
            "grep_search",
            "glob",
          ),
        },
        { name: "PreCompress" },
      ],
      fields: { name: "caliban-memory", timeout: TIMEOUT_MS },
    },
  },
  qwen: {
    agent: "qwen",
    title: "Qwen Code",
    program: "qwen",
    userDirectory: (env, home) => env["QWEN_HOME"] || join(home, ".qwen"),
    projectDirectory: ".qwen",
    file: { user: "settings.json", project: "settings.json" },
    content: {
      kind: "entries",
      events: [
        { name: "SessionStart" },
        { name: "UserPromptSubmit" },
        {
          name: "PostToolUse",
          matcher: tools(
            "read_file",
            "edit",
            "write_file",
            "run_shell_command",
            "grep_search",
            "glob",
          ),
        },
        { name: "PostToolUseFailure", matcher: tools("edit", "run_shell_command") },
      ],
      // Milliseconds in older versions, seconds in later ones, where the hook's own limit ends it earlier.
      fields: { name: "caliban-memory", timeout: TIMEOUT_MS },
    },
  },
  opencode: {
    agent: "opencode",
    title: "opencode",
    program: "opencode",
    userDirectory: (env, home) =>
      env["OPENCODE_CONFIG_DIR"] ||
      join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "opencode"),
    projectDirectory: ".opencode",
    file: { user: join("plugin", "caliban.js"), project: join("plugin", "caliban.js") },
    content: { kind: "plugin", render: opencodePlugin },
  },
  pi: {
    agent: "pi",
    title: "pi",
    program: "pi",
    userDirectory: (env, home) => env["PI_CODING_AGENT_DIR"] || join(home, ".pi", "agent"),
    projectDirectory: ".pi",
    file: { user: join("extensions", "caliban.ts"), project: join("extensions", "caliban.ts") },
    content: { kind: "plugin", render: piExtension },
  },
};

/** Anchored: otherwise `Write` would match `TodoWrite`, too. */
function tools(...names: readonly string[]): string {
  return `^(${names.join("|")})$`;
}
