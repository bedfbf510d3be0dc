import { statSync } from "node:fs";
import { UsageError } from "../../../../usage-error.ts";
import { findAgentsMd } from "./agents-md.ts";
import { findClaude } from "./claude.ts";
import { findCodex } from "./codex.ts";
import { directorySource } from "./directory.ts";
import { type AgentName, AGENTS, type ForeignSource, type SourceInput } from "./foreign-source.ts";
import { findGemini } from "./gemini.ts";
import { jsonSource } from "./json.ts";
import { readForeignFile } from "./read-foreign.ts";

/** What was named: a program, or a path. */
export interface SourceWish {
  readonly agent: AgentName;
  readonly path: string | undefined;
}

/**
 * What `--from` and the word behind it mean. Any value that is no program's name is a path.
 * @throws UsageError
 */
export function parseSourceWish(from: string | undefined, path: string | undefined): SourceWish {
  const agent = from === undefined ? "claude" : AGENTS.find((name) => name === from);
  if (agent === undefined) {
    if (path !== undefined) throw new UsageError("name one path, after --from or alone");
    return { agent: "dir", path: from };
  }
  if (from === undefined && path !== undefined) return { agent: "dir", path };
  if (agent === "dir" && path === undefined)
    throw new UsageError("--from dir needs a directory: caliban memory import --from dir PATH");
  if (path !== undefined && agent !== "dir" && agent !== "agents-md")
    throw new UsageError(`--from ${agent} takes no path; it knows where its files are`);
  return { agent, path };
}

const FINDERS: Readonly<Record<AgentName, (input: SourceInput) => Promise<ForeignSource>>> = {
  claude: findClaude,
  codex: findCodex,
  gemini: findGemini,
  "agents-md": findAgentsMd,
  dir: findPath,
};

export async function findSource(agent: AgentName, input: SourceInput): Promise<ForeignSource> {
  return await FINDERS[agent](input);
}

// A slip in the name of a program is taken for a path, too.
const NO_SUCH_PATH = `--from takes a path that is there, or one of ${AGENTS.filter((name) => name !== "dir").join(", ")}`;

/** A directory, or one file: what was exported as JSON, or a topic. */
async function findPath({ path = "" }: SourceInput): Promise<ForeignSource> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { ...(await directorySource("dir", path)), advice: NO_SUCH_PATH };
  if (stats.isDirectory()) return await directorySource("dir", path);
  if (path.endsWith(".json")) return await jsonSource(path);
  const file = await readForeignFile(path);
  return { agent: "dir", place: path, isThere: true, files: [file], instructions: [], notes: [] };
}
