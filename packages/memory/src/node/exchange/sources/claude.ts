import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ImportSource } from "../../../exchange/source.ts";
import { claudeHome } from "../../../project/claude-code.ts";
import { claudeMemoryDirectory } from "../../project/claude-directory.ts";
import { directorySource } from "./directory.ts";
import type { FindSourceInput } from "./read-source-file.ts";

/** Claude Code's memory of this project, and the user's global instructions for it. */
export function findClaude({ environment, projectPath }: FindSourceInput): ImportSource {
  const source = directorySource("claude", claudeMemoryDirectory(environment, projectPath));
  const home = claudeHome(environment);
  const instructions = home === undefined ? [] : [join(home, "CLAUDE.md")];
  return { ...source, instructions: instructions.filter((path) => existsSync(path)) };
}
