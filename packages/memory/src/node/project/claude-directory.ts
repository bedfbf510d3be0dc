import { join } from "node:path";
import { readTextFile } from "@caliban/common/node";
import {
  claudeChosenDirectory,
  CLAUDE_DIRECTORY,
  claudeHome,
  claudeProjectName,
  MAX_CLAUDE_NAME,
} from "../../project/claude-code.ts";
import { entriesOf, type ResolvedEnvironment } from "./identity.ts";


const MAX_SETTINGS_BYTES = 1024 * 1024;

/**
 * Where Claude Code keeps its memory of a project, whether it is there or not; `undefined` when no home directory is
 * known. The path is that of the main worktree, as Claude Code has it.
 */
export async function claudeMemoryDirectory(
  input: ResolvedEnvironment,
  projectPath: string,
): Promise<string | undefined> {
  const config = claudeHome(input);
  if (config === undefined) return undefined;
  const settings = await readTextFile(join(config, "settings.json"), MAX_SETTINGS_BYTES);
  const chosen = settings.kind === "text" && claudeChosenDirectory(settings.text, input);
  if (chosen) return chosen;
  const projects = join(config, "projects");
  return join(projects, nameIn(projects, claudeProjectName(projectPath)), "memory");
}

/** The directory of `[memory] directory`, whether it is a path or a word. */
export async function chosenDirectory(
  input: ResolvedEnvironment,
  directory: string | undefined,
  projectPath: string,
): Promise<string | undefined> {
  if (directory !== CLAUDE_DIRECTORY) return directory;
  return await claudeMemoryDirectory(input, projectPath);
}

/** A name that is too long is found by its beginning, where there is just one. */
function nameIn(projects: string, name: string): string {
  if (name.length <= MAX_CLAUDE_NAME) return name;
  const start = `${name.slice(0, MAX_CLAUDE_NAME)}-`;
  const found = entriesOf(projects).filter((entry) => entry.startsWith(start));
  return found.length === 1 ? (found[0] ?? name) : name.slice(0, MAX_CLAUDE_NAME);
}
