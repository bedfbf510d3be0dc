import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { isAbsolutePath, pathStyleOf } from "@caliban/common";
import { statIfExists } from "@caliban/common/node";
import { parseBlock } from "../../../exchange/agents-md-block.ts";
import type { ImportSource, SourceFile } from "../../../exchange/source.ts";
import type { ResolvedEnvironment } from "../../project/environment.ts";
import { directorySource } from "./directory.ts";
import {
  type FindSourceInput,
  MAX_DOCUMENT_BYTES,
  readSourceFile,
  withProblem,
} from "./read-source-file.ts";

/** Instructions that several agents share, apart from the files that caliban loads anyway; or the file at a path. */
export function findAgentsMd({ environment, path }: FindSourceInput): ImportSource {
  if (path !== undefined) return fileSource(path);
  const instructions = sharedFiles(environment).filter((file) => existsSync(file));
  return {
    name: "agents-md",
    path: instructions[0],
    exists: instructions.length > 0,
    files: [],
    instructions,
    notices: [],
  };
}

function sharedFiles({ env, platform, home }: ResolvedEnvironment): readonly string[] {
  const chosen = env["XDG_CONFIG_HOME"] ?? "";
  const isChosen = isAbsolutePath(pathStyleOf(platform), chosen);
  const config = isChosen ? chosen : home && join(home, ".config");
  return [
    ...(home === undefined ? [] : [join(home, ".agents", "AGENTS.md")]),
    ...(config === undefined ? [] : [join(config, "opencode", "AGENTS.md")]),
  ];
}

function fileSource(path: string): ImportSource {
  const stats = statIfExists(path);
  if (stats?.isDirectory() === true) return directorySource("agents-md", path);
  const exists = stats !== undefined;
  // The document may contain many topics, so the limit of one topic does not apply.
  const options = { name: topicName(path), maxBytes: MAX_DOCUMENT_BYTES };
  const files = exists ? topicsIn(readSourceFile(path, options)) : [];
  return { name: "agents-md", path, exists, files, instructions: [], notices: [] };
}

/** The topics of an earlier export; any other file is one topic. */
function topicsIn(file: SourceFile): readonly SourceFile[] {
  if ("problem" in file) return [file];
  const topics = parseBlock(file.text);
  if (topics === undefined) return [file];
  const { path } = file;
  return topics.map((topic) => {
    const { name } = topic;
    if ("problem" in topic)
      return withProblem({ name, path, bytes: undefined }, "INVALID_EXPORT", topic.problem);
    return { name, path, bytes: Buffer.byteLength(topic.text), text: topic.text };
  });
}

function topicName(path: string): string {
  const stem = basename(path).replace(/\.md$/i, "");
  return stem === "AGENTS" ? "agents-md" : stem;
}
