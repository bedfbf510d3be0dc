import { statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { hasCode, realPathIfExists } from "@caliban/common/node";
import type { McpTransport } from "../../client/mcp-server.ts";
import { ENTRY_FILES, isRunner, namedPaths, SUFFIXES, VERSION_FILES } from "../../trust/named-paths.ts";
import { isInside } from "./resolve-transport.ts";

/** A file of the workspace that a server is started with. */
export interface WatchedFile {
  /** As it is named. */
  readonly path: string;
  /** Behind every link. */
  readonly realPath: string;
}

export interface WatchedFiles {
  readonly files: readonly WatchedFile[];
  /** Those of them that are named themselves. */
  readonly named: readonly string[];
  /** Directories that are named: of these only what programs begin with is among the files. */
  readonly directories: readonly string[];
}

type Program = Extract<McpTransport, { readonly kind: "stdio" }>;

const MOST_DIRECTORIES = 32;
/** Names times directories: a repository makes us look before anybody was asked about it. */
const MOST_LOOKS = 2_048;

/**
 * The files of the workspace that a command, an argument or a variable of the settings names, by whatever way: on PATH,
 * through links, from the directory it starts in or from one that is named beside it.
 */
export function watchedFiles(
  program: Program,
  place: {
    readonly workspaceRoot: string;
    readonly setVariables: Readonly<Record<string, string>>;
  },
): WatchedFiles | { readonly reason: string } {
  const { workspaceRoot: root, setVariables } = place;
  const argued = program.args.flatMap(namedPaths);
  const names = [...new Set([...argued, ...Object.values(setVariables).flatMap(namedPaths)])];
  const found: Found = { root, files: new Map(), directories: new Set(), strange: [] };
  const searched = searchedDirectories(program, root);
  if (names.length * (searched.length + 1) > MOST_LOOKS) return TOO_MUCH;
  // Only Windows looks for a bare command in the current directory.
  const isFromHere = sep !== "/" || isAbsolute(program.command);
  look([program.command], isFromHere ? [program.cwd, ...searched] : searched, found);
  look(names, [program.cwd, ...searched], found);
  if (searched.length + found.directories.size > MOST_DIRECTORIES)
    return { reason: `it names more than ${MOST_DIRECTORIES} directories of the workspace` };
  if (names.length * found.directories.size > MOST_LOOKS) return TOO_MUCH;
  // `--directory tools run server.py` means a file in there.
  look(names, [...found.directories], found);
  const named = [...found.files.keys()].toSorted();
  const above = upTo(root, program.cwd);
  look(VERSION_FILES, above, found);
  // Behind a shell or `env`, too.
  const obeyed = [program.command, ...argued].some(isRunner) ? above : [];
  for (const directory of new Set([...found.directories, ...obeyed]))
    look(ENTRY_FILES, [directory], found);
  const [strange] = found.strange;
  if (strange !== undefined)
    return { reason: `it names ${strange}, which is neither a file nor a directory` };
  const files = [...found.files].map(([path, realPath]) => ({ path, realPath }));
  return {
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    named,
    directories: [...found.directories].toSorted(),
  };
}

const TOO_MUCH = {
  reason: "it has more words and directories than can be looked through for files",
};

interface Found {
  readonly root: string;
  readonly files: Map<string, string>;
  readonly directories: Set<string>;
  readonly strange: string[];
}

/** Where a name is looked for besides where it starts: what packages bring, and directories of the workspace on its PATH. */
function searchedDirectories({ cwd, env }: Program, root: string): readonly string[] {
  const path = env["PATH"] ?? env["Path"] ?? "";
  // An empty part of PATH is the current directory, and a relative one is below it.
  const onPath = path.split(delimiter).map((part) => resolve(cwd, part));
  const modules = upTo(root, cwd).flatMap((directory) => [
    join(directory, "node_modules"),
    join(directory, "node_modules", ".bin"),
  ]);
  const there = [...new Set([...onPath, ...modules])].filter(
    (directory) => statusOf(directory) === "directory",
  );
  return there.filter((directory) => isOurs(directory, root));
}

/** A directory and those above it, up to the root. */
function upTo(root: string, directory: string): readonly string[] {
  if (!isInside(root, directory)) return [directory];
  return directory === root ? [root] : [directory, ...upTo(root, dirname(directory))];
}

function look(names: readonly string[], directories: readonly string[], found: Found): void {
  for (const directory of directories)
    for (const name of names)
      SUFFIXES.forEach((suffix) => add(resolve(directory, name) + suffix, found));
}

/** Links count wherever they lead, and so does what leads here from elsewhere. */
function add(path: string, { root, files, directories, strange }: Found): void {
  if (files.has(path) || directories.has(path)) return;
  const status = statusOf(path);
  const realPath = status === undefined ? undefined : realPathIfExists(path);
  if (status === undefined || realPath === undefined) return;
  if (!isInside(root, path) && !isInside(root, realPath)) return;
  if (status === "file") files.set(path, realPath);
  if (status === "directory") directories.add(path);
  if (status === "strange") strange.push(path);
}

function isOurs(path: string, root: string): boolean {
  return isInside(root, path) || isInside(root, realPathIfExists(path) ?? path);
}

/** What is there; `undefined` for nothing, and for what this person cannot reach, which their server cannot either. */
function statusOf(path: string): "file" | "directory" | "strange" | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (status.isFile()) return "file";
    return status.isDirectory() ? "directory" : "strange";
  } catch (error) {
    if (!hasCode(error, "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG", "EINVAL", "EPERM"))
      throw error;
    return undefined;
  }
}
