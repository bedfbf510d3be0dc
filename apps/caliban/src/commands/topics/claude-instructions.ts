import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { nodeDisk, writeNewFile } from "@caliban/common/node";
import type { Host } from "../../host.ts";
import { claudeDirectory } from "./claude-memory.ts";

/** What the person wrote for Claude Code to follow everywhere, and the file of ours that can import it. */
export interface ClaudeInstructions {
  readonly path: string;
  readonly globalFile: string;
}

/** Only while there is no global file: one that is there is the person's to change. */
export function claudeInstructions(
  host: Host,
  globalFile: string | undefined,
): ClaudeInstructions | undefined {
  const directory = claudeDirectory(host);
  if (directory === undefined || globalFile === undefined || existsSync(globalFile))
    return undefined;
  const path = join(directory, "CLAUDE.md");
  // An import ends at a blank, and a line that can steer a terminal is nobody's path.
  if (/\s/.test(path) || terminalSafeLine(path) !== path) return undefined;
  return existsSync(path) ? { path, globalFile } : undefined;
}

/** Imports them by a line, so that what is changed there later holds here as well. */
export async function importInstructions(
  { path, globalFile }: ClaudeInstructions,
  { platform, home }: Host,
): Promise<void> {
  await nodeDisk.makeDirectory(dirname(globalFile));
  const shown = abbreviateHome(pathStyleOf(platform), path, home);
  await writeNewFile(nodeDisk, globalFile, `@${shown}\n`);
}
