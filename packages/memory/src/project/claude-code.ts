import {
  type Environment,
  expandTilde,
  isAbsolutePath,
  joinPath,
  parseJsonRecord,
  pathStyleOf,
} from "@caliban/common";

/** The value of `[memory] directory` that means the directory Claude Code uses for the project. */
export const CLAUDE_DIRECTORY = "claude";

/** The maximum length of a project name in Claude Code. A longer one is cut and gets a hash that only it can compute. */
export const MAX_CLAUDE_NAME = 200;

interface ClaudeInput {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
}

/** Claude Code's own directory of the user. */
export function claudeHome({ env, platform, home }: ClaudeInput): string | undefined {
  const style = pathStyleOf(platform);
  const own = env["CLAUDE_CONFIG_DIR"] ?? "";
  if (isAbsolutePath(style, own)) return own;
  return home === undefined ? undefined : joinPath(style, home, ".claude");
}

/** The name Claude Code gives a project: every character except letters and digits becomes a hyphen. */
export function claudeProjectName(projectPath: string): string {
  return projectPath.replaceAll(/[^A-Za-z0-9]/g, "-");
}

/**
 * The directory that the user chose in Claude Code's settings, which accept only an absolute path. Broken settings are
 * for Claude Code to report.
 */
export function claudeChosenDirectory(settings: string, input: ClaudeInput): string | undefined {
  const chosen = parseJsonRecord(settings)?.["autoMemoryDirectory"];
  if (typeof chosen !== "string" || chosen === "") return undefined;
  const style = pathStyleOf(input.platform);
  const path = expandTilde(style, chosen, input.home);
  return isAbsolutePath(style, path) ? path : undefined;
}
