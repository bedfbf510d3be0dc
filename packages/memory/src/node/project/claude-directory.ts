import { join } from "node:path";
import { listNames, readTextFile } from "@caliban/common/node";
import {
  claudeChosenDirectory,
  CLAUDE_DIRECTORY,
  claudeHome,
  claudeProjectName,
  MAX_CLAUDE_NAME,
} from "../../project/claude-code.ts";
import type { ResolvedEnvironment } from "./environment.ts";

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
