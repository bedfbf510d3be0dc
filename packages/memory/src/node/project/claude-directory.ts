import { existsSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { listNames, readTextFile } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import {
  claudeChosenDirectory,
  CLAUDE_DIRECTORY,
  claudeHome,
  claudeProjectName,
  MAX_CLAUDE_NAME,
} from "../../project/claude-code.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import {
  type EnvironmentOptions,
  resolveEnvironment,
  type ResolvedEnvironment,
} from "./environment.ts";

const MAX_SETTINGS_BYTES = 1024 * 1024;

/**
 * The directory of Claude Code's memory of a project, whether or not it exists; `undefined` when no home directory is
 * known. The path must be that of the main worktree, which is what Claude Code uses.
 */
export function claudeMemoryDirectory(
  environment: ResolvedEnvironment,
  projectPath: string,
): string | undefined {
  const config = claudeHome(environment);
  if (config === undefined) return undefined;
  const settings = readTextFile(join(config, "settings.json"), MAX_SETTINGS_BYTES);
  const chosen = settings.kind === "text" && claudeChosenDirectory(settings.text, environment);
  if (chosen) return chosen;
  const projects = join(config, "projects");
  return join(projects, findName(projects, claudeProjectName(projectPath)), "memory");
}

/** Resolves `[memory] directory`, which is a path or the word for Claude Code's directory. */
export function resolveChosenDirectory(
  environment: ResolvedEnvironment,
  directory: string | undefined,
  projectPath: string,
): string | undefined {
  if (directory !== CLAUDE_DIRECTORY) return directory;
  return claudeMemoryDirectory(environment, projectPath);
}

/** A name that is too long is found by how it begins, provided that only one does. */
function findName(projects: string, name: string): string {
  if (name.length <= MAX_CLAUDE_NAME) return name;
  const start = `${name.slice(0, MAX_CLAUDE_NAME)}-`;
  const found = listNames(projects).filter((entry) => entry.startsWith(start));
  return found.length === 1 ? (found[0] ?? name) : name.slice(0, MAX_CLAUDE_NAME);
}

interface FindClaudeMemoryInput extends EnvironmentOptions {
  /** The path of the main worktree. */
  readonly projectPath: string;
  /** The user's own global instruction file, which may not exist. */
  readonly globalFile: string | undefined;
}

/** What Claude Code has that an import could take over. */
interface ClaudeMemory {
  /** How many topics it has about the project. */
  readonly topicCount: number;
  /** Its global instructions, while there is no global file here and a line could import them. */
  readonly instructions: string | undefined;
}

/** Looks for memory of Claude Code, to suggest an import. Reads none of it, only names. */
export function findClaudeMemory(input: FindClaudeMemoryInput): ClaudeMemory {
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
