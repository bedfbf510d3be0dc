import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { isAbsolutePath, pathStyleOf } from "@caliban/common";
import type { ForeignFile, ForeignSource, SourceInput } from "./foreign-source.ts";
import { namesIn, readForeignDirectory, readForeignFile } from "./read-foreign.ts";

/** What Codex keeps: one store for all projects, of which each file tells more or less clearly whom it is for. */
export async function findCodex(input: SourceInput): Promise<ForeignSource> {
  const home = codexHome(input);
  const directory = home && join(home, "memories");
  const instructions = home === undefined ? [] : [join(home, "AGENTS.md")];
  const isThere = directory !== undefined && namesIn(directory) !== undefined;
  const files = isThere ? await filesOf(directory) : [];
  return {
    agent: "codex",
    place: directory,
    isThere,
    files: files.map((file) => scoped(file, input)),
    instructions: instructions.filter((path) => existsSync(path)),
    notes: [],
    whyLeftOut:
      "Codex keeps one memory for all projects; what does not name this one is left out (--all takes it)",
  };
}

function codexHome({ host: { env, platform, home } }: SourceInput): string | undefined {
  const own = env["CODEX_HOME"] ?? "";
  if (isAbsolutePath(pathStyleOf(platform), own)) return own;
  return home === undefined ? undefined : join(home, ".codex");
}

/** Its MEMORY.md is a handbook and no index of ours, so it comes as a topic. */
async function filesOf(directory: string): Promise<readonly ForeignFile[]> {
  const own = [
    ["MEMORY.md", "codex-memory"],
    ["memory_summary.md", "codex-memory-summary"],
  ] as const;
  const there = own.filter(([file]) => existsSync(join(directory, file)));
  const summaries = await readForeignDirectory(join(directory, "rollout_summaries"));
  return [
    ...(await Promise.all(
      there.map(([file, name]) => readForeignFile(join(directory, file), { name })),
    )),
    ...(summaries?.files ?? []),
  ];
}

/** Where a file says that it belongs: `cwd: PATH` of a summary, `applies_to: cwd=PATH; …` of a group of tasks. */
const PLACE = /^(?:cwd:|applies_to:)[ \t]*(.+)$/gm;

function scoped(file: ForeignFile, input: SourceInput): ForeignFile {
  if ("problem" in file) return file;
  const places = [...file.text.matchAll(PLACE)].map(([, place = ""]) => place.trim());
  const own = places.filter((place) => namesProject(place, input)).length;
  if (places.length === 0) {
    return { ...file, note: "of all projects", leftOut: "it names no project" };
  }
  if (own === 0) {
    return { ...file, leftOut: `it is about ${shortened(places[0] ?? "")}` };
  }
  const isMixed = own < places.length;
  return {
    ...file,
    note: isMixed
      ? `${own} of its ${places.length} parts are about this project`
      : "of this project",
  };
}

/** Whether one of the paths in a line is this project, or below it. */
function namesProject(line: string, { host, workspace, projectPath }: SourceInput): boolean {
  const style = pathStyleOf(host.platform);
  const scope = line.split(";")[0] ?? "";
  const paths = scope.split(/\s+and\s+|,\s*/).map((part) => part.replace(/^cwd=/, "").trim());
  return paths.some(
    (path) =>
      isAbsolutePath(style, path) &&
      [projectPath, workspace.root].some(
        (root) => path === root || path.startsWith(`${root}${sep}`),
      ),
  );
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
