import { basename } from "node:path";
import { statIfExists } from "@caliban/common/node";
import { invalidArgument } from "../../../check-arguments.ts";
import {
  IMPORT_SOURCES,
  type ImportSource,
  type ImportSourceName,
  type SourceFile,
} from "../../../exchange/source.ts";
import { findAgentsMd } from "./agents-md.ts";
import { findClaude } from "./claude.ts";
import { findCodex } from "./codex.ts";
import { directorySource } from "./directory.ts";
import { findGemini } from "./gemini.ts";
import { jsonSource } from "./json.ts";
import { type FindSourceInput, readSourceFile, withProblem } from "./read-source-file.ts";

/** Reads everything that can be imported from a source, without changing it. */
export function findImportSource(
  from: ImportSourceName,
  input: FindSourceInput & { readonly includeExcluded: boolean },
): ImportSource {
  if (!IMPORT_SOURCES.includes(from))
    throw invalidArgument(`planImport: "from" must be one of ${IMPORT_SOURCES.join(", ")}`);
  const source = FINDERS[from](input);
  return input.includeExcluded ? withExcluded(source) : source;
}

const FINDERS: Readonly<Record<ImportSourceName, (input: FindSourceInput) => ImportSource>> = {
  claude: findClaude,
  codex: findCodex,
  gemini: findGemini,
  "agents-md": findAgentsMd,
  dir: findPath,
};

/** A directory, or one file: a JSON export, or a topic. */
function findPath({ path = "" }: FindSourceInput): ImportSource {
  const stats = statIfExists(path);
  if (stats === undefined || stats.isDirectory()) return directorySource("dir", path);
  if (path.endsWith(".json")) return jsonSource(path);
  const files = [TAR.test(path) ? tarFile(path, stats.size) : readSourceFile(path)];
  return { name: "dir", path, exists: true, files, instructions: [], notices: [] };
}

/** An export in this format, packed further or not. */
const TAR = /\.(?:tar|tar\.\w+|tgz)$/i;

function tarFile(path: string, bytes: number): SourceFile {
  const message = "a tar file; unpack it and import the directory";
  return withProblem({ name: basename(path), path, bytes }, "NOT_TEXT", message);
}

function withExcluded(source: ImportSource): ImportSource {
  const files = source.files.map((file) =>
    "text" in file ? { ...file, excluded: undefined } : file,
  );
  return { ...source, files };
}
