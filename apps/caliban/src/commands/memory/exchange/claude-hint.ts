import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { claudeHome, claudeProjectName } from "@caliban/memory";
import type { Host } from "../../../host.ts";

/** What the person wrote for Claude Code to follow everywhere, as long as an import could take it over by a line. */
export function claudeInstructions(host: Host, globalFile: string | undefined): string | undefined {
  const home = claudeHome(host);
  if (home === undefined || globalFile === undefined || existsSync(globalFile)) return undefined;
  const path = join(home, "CLAUDE.md");
  if (/\s/.test(path) || terminalSafeLine(path) !== path) return undefined;
  return existsSync(path) ? path : undefined;
}

/** How many topics Claude Code keeps where it keeps them unless it was told otherwise. Looks at names only. */
export function countClaudeTopics(host: Host, projectPath: string): number {
  const home = claudeHome(host);
  if (home === undefined) return 0;
  return countTopics(join(home, "projects", claudeProjectName(projectPath), "memory"));
}

export function countTopics(directory: string): number {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".md") && name !== "MEMORY.md")
      .length;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return 0;
  }
}
