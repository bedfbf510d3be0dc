import { join } from "node:path";
import type { HookAgent } from "../hook-event.ts";
import type { ProbeProtocol } from "./scripted-answer.ts";

/** How an agent is run once, away from the user's own files, with a model on this machine. */
export interface ProbeRecipe {
  readonly protocol: ProbeProtocol;
  /** A call that changes nothing. */
  readonly call: { readonly tool: string; readonly input: object };
  /** The events that such a run has: those before the first answer, and the one after each call. */
  readonly before: readonly string[];
  readonly after: string;
  /** Where the agent looks for the user's configuration in this home directory. */
  readonly userDirectory: (home: string) => string;
  readonly start: (input: ProbeStart) => {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Settings next to the hooks. */
    readonly settings?: Readonly<Record<string, object>>;
    /** Further files, by their path in the home directory. */
    readonly files?: Readonly<Record<string, object>>;
  };
}

interface ProbeStart {
  readonly url: string;
  readonly home: string;
}

const PROMPT = "This is a test of hooks. Run the command.";
const KEY = "caliban-probe";
const ECHO = "echo caliban-probe";

export const PROBE_RECIPES: Readonly<Record<HookAgent, ProbeRecipe>> = {
  claude: {
    protocol: "anthropic",
    call: { tool: "Bash", input: { command: ECHO, description: "Test" } },
    before: ["SessionStart", "UserPromptSubmit"],
    after: "PostToolUse",
    userDirectory: (home) => join(home, ".claude"),
    start: ({ url, home }) => ({
      args: ["-p", PROMPT, "--allowedTools", "Bash(echo *)"],
      env: {
        CLAUDE_CONFIG_DIR: join(home, ".claude"),
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: KEY,
        DISABLE_AUTOUPDATER: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    }),
  },
  codex: {
    protocol: "responses",
    call: { tool: "exec_command", input: { cmd: ECHO } },
    before: ["SessionStart", "UserPromptSubmit"],
    after: "PostToolUse",
    userDirectory: (home) => join(home, ".codex"),
    start: ({ url, home }) => ({
      args: [
        "exec",
        "--skip-git-repo-check",
        "--ephemeral",
        // Of this directory, in the configuration of this run.
        "--trust",
        "--sandbox",
        "danger-full-access",
        // Trust is given to the user's own file, and this is a copy.
        "--dangerously-bypass-hook-trust",
        ...Object.entries({
          model_provider: "probe",
          "model_providers.probe.name": "probe",
          "model_providers.probe.base_url": `${url}/v1`,
          "model_providers.probe.env_key": "CALIBAN_PROBE_KEY",
          "model_providers.probe.wire_api": "responses",
        }).flatMap(([key, value]) => ["-c", `${key}=${JSON.stringify(value)}`]),
        "-m",
        "probe",
        PROMPT,
      ],
      env: { CODEX_HOME: join(home, ".codex"), CALIBAN_PROBE_KEY: KEY },
    }),
  },
  gemini: {
    protocol: "gemini",
    call: { tool: "run_shell_command", input: { command: ECHO, description: "Test" } },
    before: ["SessionStart", "BeforeAgent"],
    after: "AfterTool",
    userDirectory: (home) => join(home, ".gemini"),
    start: ({ url }) => ({
      args: ["--yolo", "-m", "gemini-2.5-flash", "-p", PROMPT],
      env: {
        GEMINI_API_KEY: KEY,
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      },
      settings: { security: { auth: { selectedType: "gemini-api-key" } } },
    }),
  },
  qwen: {
    protocol: "chat",
    call: {
      tool: "run_shell_command",
      input: { command: ECHO, description: "Test", is_background: false },
    },
    before: ["UserPromptSubmit"],
    after: "PostToolUse",
    userDirectory: (home) => join(home, ".qwen"),
    start: ({ url }) => ({
      args: ["--auth-type", "openai", "--yolo", "-p", PROMPT],
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "probe" },
    }),
  },
  opencode: {
    protocol: "chat",
    call: { tool: "bash", input: { command: ECHO, description: "Test" } },
    before: ["UserPromptSubmit"],
    after: "PostToolUse",
    userDirectory: (home) => join(home, ".config", "opencode"),
    start: ({ url }) => ({
      args: ["run", "-m", "probe/probe", "--auto", PROMPT],
      env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
      files: {
        ".config/opencode/opencode.json": {
          autoupdate: false,
          share: "disabled",
          provider: {
            probe: {
              npm: "@ai-sdk/openai-compatible",
              name: "probe",
              options: { baseURL: `${url}/v1`, apiKey: KEY },
              models: { probe: { name: "probe", tool_call: true } },
            },
          },
        },
      },
    }),
  },
  pi: {
    protocol: "chat",
    call: { tool: "bash", input: { command: ECHO } },
    before: ["UserPromptSubmit"],
    after: "PostToolUse",
    userDirectory: (home) => join(home, ".pi", "agent"),
    start: ({ url, home }) => ({
      args: ["--model", "probe/probe", "--no-session", "-p", PROMPT],
      env: { PI_CODING_AGENT_DIR: join(home, ".pi", "agent"), PI_OFFLINE: "1" },
      files: {
        ".pi/agent/models.json": {
          providers: {
            probe: {
              baseUrl: `${url}/v1`,
              api: "openai-completions",
              apiKey: KEY,
              models: [
                {
                  id: "probe",
                  name: "probe",
                  reasoning: false,
                  input: ["text"],
                  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                  contextWindow: 128_000,
                  maxTokens: 4_096,
                },
              ],
            },
          },
        },
      },
    }),
  },
};
