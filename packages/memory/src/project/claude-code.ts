import {
  type Environment,
  expandTilde,
  isAbsolutePath,
  joinPath,
  pathStyleOf,
} from "@caliban/common";

/** What `[memory] directory` may say in place of a path: the directory that Claude Code keeps for the project. */
export const CLAUDE_DIRECTORY = "claude";

/** The longest name that Claude Code gives a project; a longer one is cut and gets a hash that only it can make. */
export const MAX_CLAUDE_NAME = 200;

interface ClaudeInput {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
}

/** Where Claude Code keeps what is the person's. */
export function claudeHome({ env, platform, home }: ClaudeInput): string | undefined {
  const style = pathStyleOf(platform);
  const own = env["CLAUDE_CONFIG_DIR"] ?? "";
  if (isAbsolutePath(style, own)) return own;
  return home === undefined ? undefined : joinPath(style, home, ".claude");
}

/** The name that Claude Code gives a project: every character but letters and digits becomes a hyphen. */
export function claudeProjectName(projectPath: string): string {
  return projectPath.replaceAll(/[^A-Za-z0-9]/g, "-");
}

/** The directory that a person told Claude Code to use, by the text of its settings; it takes no relative one. */
export function claudeChosenDirectory(settings: string, input: ClaudeInput): string | undefined {
  const chosen = chosenIn(settings);
  if (chosen === undefined) return undefined;
  const style = pathStyleOf(input.platform);
  const path = expandTilde(style, chosen, input.home);
  return isAbsolutePath(style, path) ? path : undefined;
}

/** What is broken there is for Claude Code to say. */
function chosenIn(settings: string): string | undefined {
  try {
    const value: unknown = JSON.parse(settings);
    if (typeof value !== "object" || value === null) return undefined;
    const chosen: unknown = Reflect.get(value, "autoMemoryDirectory");
    return typeof chosen === "string" && chosen !== "" ? chosen : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
