import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { isAbsolutePath, pathStyleOf } from "@caliban/common";
import type { ImportSource, SourceFile } from "../../../exchange/source.ts";
import type { ResolvedEnvironment } from "../../project/environment.ts";
import {
  type FindSourceInput,
  namesIn,
  readSourceDirectory,
  readSourceFile,
} from "./read-source-file.ts";

/** Codex stores one memory for all projects; each file names, more or less clearly, the project it is about. */
export function findCodex(input: FindSourceInput): ImportSource {
  const home = codexHome(input.environment);
  const path = home && join(home, "memories");
  const instructions = home === undefined ? [] : [join(home, "AGENTS.md")];
  const exists = path !== undefined && namesIn(path) !== undefined;
  const files = exists ? readMemories(path) : [];
  return {
    name: "codex",
    path,
    exists,
    files: files.map((file) => withScope(file, input)),
    instructions: instructions.filter((file) => existsSync(file)),
    notices: [],
  };
}

function codexHome({ env, platform, home }: ResolvedEnvironment): string | undefined {
  const chosen = env["CODEX_HOME"] ?? "";
  if (isAbsolutePath(pathStyleOf(platform), chosen)) return chosen;
  return home === undefined ? undefined : join(home, ".codex");
}

/** Codex's MEMORY.md is a handbook, not an index in our format, so it becomes a topic. */
const MEMORIES = [
  ["MEMORY.md", "codex-memory"],
  ["memory_summary.md", "codex-memory-summary"],
] as const;

function readMemories(directory: string): readonly SourceFile[] {
  const memories = MEMORIES.filter(([file]) => existsSync(join(directory, file)));
  const summaries = readSourceDirectory(join(directory, "rollout_summaries"));
  return [
    ...memories.map(([file, name]) => readSourceFile(join(directory, file), { name })),
    ...(summaries?.files ?? []),
  ];
}

/** The paths a file is about: `cwd: PATH` in a summary, `applies_to: cwd=PATH; …` in a group of tasks. */
const SCOPE = /^(?:cwd:|applies_to:)[ \t]*(.+)$/gm;

function withScope(file: SourceFile, input: FindSourceInput): SourceFile {
  if ("problem" in file) return file;
  const scopes = [...file.text.matchAll(SCOPE)].map(([, scope = ""]) => scope.trim());
  const ownCount = scopes.filter((scope) => namesProject(scope, input)).length;
  if (scopes.length === 0)
    return { ...file, note: "about all projects", excluded: "names no project" };
  if (ownCount === 0) return { ...file, excluded: `about ${shortened(scopes[0] ?? "")}` };
  const isMixed = ownCount < scopes.length;
  return {
    ...file,
    note: isMixed
      ? `${ownCount} of ${scopes.length} parts are about this project`
      : "about this project",
  };
}

/** Whether one of the paths in a scope is this project, or below it. */
function namesProject(
  scope: string,
  { environment, workspaceRoot, projectPath }: FindSourceInput,
): boolean {
  const style = pathStyleOf(environment.platform);
  const list = scope.split(";")[0] ?? "";
  const paths = list.split(/\s+and\s+|,\s*/).map((part) => part.replace(/^cwd=/, "").trim());
  return paths.some(
    (path) =>
      isAbsolutePath(style, path) &&
      [projectPath, workspaceRoot].some(
        (root) => path === root || path.startsWith(`${root}${sep}`),
      ),
  );
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
