import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import { jsonField } from "../../../exchange/json-field.ts";
import type { ImportSource, SourceFile } from "../../../exchange/source.ts";
import { INDEX_FILE } from "../../../topics/limits.ts";
import { sha256Hex } from "../../sha256-hex.ts";
import {
  type FindSourceInput,
  namesIn,
  readSourceDirectory,
  readSourceFile,
} from "./read-source-file.ts";

/** Gemini CLI's global facts, its private memory of this project, and the project's GEMINI.md. */
export function findGemini(input: FindSourceInput): ImportSource {
  const projectFile = join(input.workspaceRoot, "GEMINI.md");
  const projectFiles = existsSync(projectFile)
    ? [readSourceFile(projectFile, { name: "gemini-project" })]
    : [];
  const source = { name: "gemini", notices: [] } as const;
  if (input.environment.home === undefined)
    return { ...source, path: undefined, exists: false, files: projectFiles, instructions: [] };
  const home = join(input.environment.home, ".gemini");
  const directory = findPrivateDirectory(home, input);
  const { files = [], index } = (directory && readSourceDirectory(directory)) || {};
  return {
    ...source,
    path: home,
    exists: namesIn(home) !== undefined,
    files: [...privateFiles(files, index), ...projectFiles],
    index: hasTopics(files) ? index : undefined,
    instructions: [join(home, "GEMINI.md")].filter((path) => existsSync(path)),
  };
}

/** MEMORY.md is an index if there are files next to it, and otherwise the whole memory. */
function privateFiles(
  files: readonly SourceFile[],
  index: SourceFile | undefined,
): readonly SourceFile[] {
  const named = files.map((file) =>
    file.name === "GEMINI" ? { ...file, name: "gemini-memory" } : file,
  );
  if (index === undefined || hasTopics(files)) return named;
  return [{ ...index, name: "gemini-memory" }, ...named];
}

function hasTopics(files: readonly SourceFile[]): boolean {
  return files.some(({ name }) => name !== "GEMINI");
}

/** Found by the short name that Gemini gave the project, or by the hash of its path, which older versions used. */
function findPrivateDirectory(
  home: string,
  { projectPath, workspaceRoot }: FindSourceInput,
): string | undefined {
  const roots = [...new Set([workspaceRoot, projectPath])];
  const names = [...registeredNames(home, roots), ...roots.map(sha256Hex)];
  const candidates = names.flatMap((name) => [
    join(home, "tmp", name, "memory"),
    join(home, "memory", name),
  ]);
  return candidates.find(
    (path) => existsSync(join(path, INDEX_FILE)) || existsSync(join(path, "GEMINI.md")),
  );
}

const MAX_REGISTRY_BYTES = 4 * 1024 * 1024;

/** Reads `projects.json`: `{ "projects": { "<path>": "<name>" } }`. */
function registeredNames(home: string, roots: readonly string[]): readonly string[] {
  const file = readTextFile(join(home, "projects.json"), MAX_REGISTRY_BYTES);
  if (file.kind !== "text") return [];
  const projects = jsonField(parseJson(file.text), "projects");
  return roots.flatMap((root) => {
    const name = jsonField(projects, root);
    // Only a name, never a path: the file is not ours.
    return typeof name === "string" && /^[\w-]+$/.test(name) ? [name] : [];
  });
}
