import { statIfExists } from "@caliban/common/node";
import type { ImportSource, ImportSourceName } from "../../../exchange/source.ts";
import { findAgentsMd } from "./agents-md.ts";
import { findClaude } from "./claude.ts";
import { findCodex } from "./codex.ts";
import { directorySource } from "./directory.ts";
import type { FindSourceInput } from "./find-source-input.ts";
import { findGemini } from "./gemini.ts";
import { jsonSource } from "./json.ts";
import { readSourceFile } from "./read-source-file.ts";

const FINDERS: Readonly<Record<ImportSourceName, (input: FindSourceInput) => ImportSource>> = {
  claude: findClaude,
  codex: findCodex,
  gemini: findGemini,
  "agents-md": findAgentsMd,
  dir: findPath,
};

/** Reads everything that can be imported from a source, without changing it. */
export function findImportSource(name: ImportSourceName, input: FindSourceInput): ImportSource {
  return FINDERS[name](input);
}

/** A directory, or one file: a JSON export, or a topic. */
function findPath({ path = "" }: FindSourceInput): ImportSource {
  const stats = statIfExists(path);
  if (stats === undefined || stats.isDirectory()) return directorySource("dir", path);
  if (path.endsWith(".json")) return jsonSource(path);
  const files = [readSourceFile(path)];
  return { name: "dir", path, exists: true, files, instructions: [], notices: [] };
}
