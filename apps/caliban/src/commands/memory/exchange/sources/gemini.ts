import { parseJson } from "@caliban/common";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "@caliban/common/node";
import { INDEX_FILE } from "@caliban/memory";
import { fieldOf } from "../json-field.ts";
import type { ForeignFile, ForeignSource, SourceInput } from "./foreign-source.ts";
import { namesIn, readForeignDirectory, readForeignFile } from "./read-foreign.ts";

const MAX_REGISTRY_BYTES = 4 * 1024 * 1024;

/** What Gemini CLI keeps: facts for everywhere, private notes of this project, and the project's own GEMINI.md. */
export async function findGemini(input: SourceInput): Promise<ForeignSource> {
  const { host, workspace } = input;
  const project = join(workspace.root, "GEMINI.md");
  const own = existsSync(project)
    ? [await readForeignFile(project, { name: "gemini-project" })]
    : [];
  const source = { agent: "gemini", notes: [] } as const;
  if (host.home === undefined)
    return { ...source, place: undefined, isThere: false, files: own, instructions: [] };
  const home = join(host.home, ".gemini");
  const directory = await privateDirectory(home, input);
  const { files = [], index } = (directory && (await readForeignDirectory(directory))) || {};
  return {
    ...source,
    place: home,
    isThere: namesIn(home) !== undefined,
    files: [...privateFiles(files, index), ...own],
    index: hasTopics(files) ? index : undefined,
    instructions: [join(home, "GEMINI.md")].filter((path) => existsSync(path)),
  };
}

/** Its MEMORY.md is an index where there are files beside it, and else all that there is. */
function privateFiles(
  files: readonly ForeignFile[],
  index: ForeignFile | undefined,
): readonly ForeignFile[] {
  const named = files.map((file) =>
    file.name === "GEMINI" ? { ...file, name: "gemini-memory" } : file,
  );
  if (index === undefined || hasTopics(files)) return named;
  return [{ ...index, name: "gemini-memory" }, ...named];
}

function hasTopics(files: readonly ForeignFile[]): boolean {
  return files.some(({ name }) => name !== "GEMINI");
}

/** By the short name that it gave the project, else by the hash of its path, which older versions used. */
async function privateDirectory(
  home: string,
  { projectPath, workspace }: SourceInput,
): Promise<string | undefined> {
  const roots = [...new Set([workspace.root, projectPath])];
  const hashes = roots.map((root) => createHash("sha256").update(root).digest("hex"));
  const names = [...(await registered(home, roots)), ...hashes];
  const candidates = names.flatMap((name) => [
    join(home, "tmp", name, "memory"),
    join(home, "memory", name),
  ]);
  return candidates.find(
    (path) => existsSync(join(path, INDEX_FILE)) || existsSync(join(path, "GEMINI.md")),
  );
}

/** `projects.json`: `{ "projects": { "<path>": "<name>" } }`. */
async function registered(home: string, roots: readonly string[]): Promise<readonly string[]> {
  const file = readTextFile(join(home, "projects.json"), MAX_REGISTRY_BYTES);
  if (file.kind !== "text") return [];
  const projects = fieldOf(parseJson(file.text), "projects");
  return roots.flatMap((root) => {
    const name = fieldOf(projects, root);
    // A name and no way: the file is another program's.
    return typeof name === "string" && /^[\w-]+$/.test(name) ? [name] : [];
  });
}
