import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isAbsolutePath, pathStyleOf } from "@caliban/common";
import { parseBlock } from "../agents-md-block.ts";
import { directorySource } from "./directory.ts";
import type { ForeignFile, ForeignSource, SourceInput } from "./foreign-source.ts";
import { MAX_DOCUMENT_BYTES, readForeignFile } from "./read-foreign.ts";

/** Instructions that other programs share, outside of the places that caliban reads anyway; or one file by its path. */
export async function findAgentsMd({ host, path }: SourceInput): Promise<ForeignSource> {
  if (path !== undefined) return await fileSource(path);
  const { env, platform, home } = host;
  const own = env["XDG_CONFIG_HOME"] ?? "";
  const isOwn = isAbsolutePath(pathStyleOf(platform), own);
  const config = isOwn ? own : home && join(home, ".config");
  const instructions = [
    ...(home === undefined ? [] : [join(home, ".agents", "AGENTS.md")]),
    ...(config === undefined ? [] : [join(config, "opencode", "AGENTS.md")]),
  ].filter((file) => existsSync(file));
  return {
    agent: "agents-md",
    place: instructions[0],
    isThere: instructions.length > 0,
    files: [],
    instructions,
    notes: [],
    advice:
      "~/.agents/AGENTS.md and opencode's AGENTS.md are looked at, and any other file is named behind agents-md",
  };
}

async function fileSource(path: string): Promise<ForeignSource> {
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isDirectory) return await directorySource("agents-md", path);
  const isThere = existsSync(path);
  // One topic is never as long; whether it is one is told by what is in it.
  const about = { name: nameOf(path), maxBytes: MAX_DOCUMENT_BYTES };
  const files = isThere ? topicsOf(await readForeignFile(path, about)) : [];
  return { agent: "agents-md", place: path, isThere, files, instructions: [], notes: [] };
}

/** What `export --to agents-md` wrote comes back as the topics that it was; any other file is one topic. */
function topicsOf(file: ForeignFile): readonly ForeignFile[] {
  if ("problem" in file) return [file];
  const topics = parseBlock(file.text);
  if (topics === undefined) return [file];
  const { path } = file;
  return topics.map((topic) => {
    const { name } = topic;
    if ("problem" in topic) return { name, path, bytes: undefined, problem: topic.problem };
    return { name, path, bytes: Buffer.byteLength(topic.text), text: topic.text };
  });
}

function nameOf(path: string): string {
  const stem = basename(path).replace(/\.md$/i, "");
  return stem === "AGENTS" ? "agents-md" : stem;
}
