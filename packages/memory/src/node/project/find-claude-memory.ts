import { existsSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { listNames } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { claudeHome } from "../../project/claude-code.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import { claudeMemoryDirectory } from "./claude-directory.ts";
import { type EnvironmentOptions, resolveEnvironment } from "./environment.ts";

interface FindClaudeMemoryInput extends EnvironmentOptions {
  /** The path of the main worktree. */
  readonly projectPath: string;
  /** The user's own global instruction file, which may not exist. */
  readonly globalFile: string | undefined;
}

/**
 * Looks for memory of Claude Code, to suggest an import: the number of its topics about the project, and its global
 * instructions while a line could import them. Reads only names.
 */
export function findClaudeMemory(input: FindClaudeMemoryInput): {
  readonly topicCount: number;
  readonly instructions: string | undefined;
} {
  checkArguments("findClaudeMemory", input, { projectPath: "string" });
  const environment = resolveEnvironment(input);
  const directory = claudeMemoryDirectory(environment, input.projectPath);
  const names = directory === undefined ? [] : listNames(directory);
  const topics = names.filter((name) => name.endsWith(".md") && name !== INDEX_FILE);
  return {
    topicCount: topics.length,
    instructions: importableInstructions(claudeHome(environment), input.globalFile),
  };
}

function importableInstructions(
  home: string | undefined,
  globalFile: string | undefined,
): string | undefined {
  if (home === undefined || globalFile === undefined || existsSync(globalFile)) return undefined;
  const path = join(home, "CLAUDE.md");
  if (/\s/.test(path) || terminalSafeLine(path) !== path) return undefined;
  return existsSync(path) ? path : undefined;
}
