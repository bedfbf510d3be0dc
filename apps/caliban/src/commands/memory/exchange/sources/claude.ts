import { existsSync } from "node:fs";
import { join } from "node:path";
import { claudeHome } from "@caliban/memory";
import { claudeMemoryDirectory } from "@caliban/memory/node";
import type { ForeignSource, SourceInput } from "./foreign-source.ts";
import { directorySource } from "./directory.ts";

/** What Claude Code keeps for this project, and what the person wrote for it to follow everywhere. */
export async function findClaude(input: SourceInput): Promise<ForeignSource> {
  const { host, projectPath } = input;
  const directory = claudeMemoryDirectory(host, projectPath);
  const source = await directorySource("claude", directory);
  const home = claudeHome(host);
  const instructions = home === undefined ? [] : [join(home, "CLAUDE.md")];
  return { ...source, instructions: instructions.filter((path) => existsSync(path)) };
}
