import { existsSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { listNames } from "@caliban/common/node";
import { claudeHome, claudeProjectName } from "@caliban/memory";
import type { Host } from "../../../host.ts";

/** The user's global instructions for Claude Code, while an import could still take them over with a line. */
export function findClaudeInstructions(
  host: Host,
  globalFile: string | undefined,
): string | undefined {
  const home = claudeHome(host);
  if (home === undefined || globalFile === undefined || existsSync(globalFile)) return undefined;
  const path = join(home, "CLAUDE.md");
  if (/\s/.test(path) || terminalSafeLine(path) !== path) return undefined;
  return existsSync(path) ? path : undefined;
}

/** How many topics Claude Code has in the default directory of a project. Reads names only. */
export function countClaudeTopics(host: Host, projectPath: string): number {
  const home = claudeHome(host);
  if (home === undefined) return 0;
  return countTopics(join(home, "projects", claudeProjectName(projectPath), "memory"));
}

export function countTopics(directory: string): number {
  return listNames(directory).filter((name) => name.endsWith(".md") && name !== "MEMORY.md").length;
}
