import { statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { hasCode, realPathIfExists } from "@caliban/common/node";
import type { McpTransport } from "../../client/mcp-server.ts";
import {
  ENTRY_FILES,
  isRunner,
  namedPaths,
  SUFFIXES,
  VERSION_FILES,
} from "../../trust/named-paths.ts";
import { isInside } from "./resolve-transport.ts";

/** A file of the workspace that decides what a server does. */
export interface WatchedFile {
  /** As the settings name it. */
  readonly path: string;
  /** With every link resolved. */
  readonly realPath: string;
}

export interface WatchedFiles {
  readonly files: readonly WatchedFile[];
  /** The paths that the settings name directly. */
  readonly named: readonly string[];
  /** Named directories. Of each, only the files that programs start with are watched. */
  readonly directories: readonly string[];
}

type Program = Extract<McpTransport, { readonly kind: "stdio" }>;

const MAX_DIRECTORIES = 32;
/** Names times directories, limited because a repository causes this work before the user is asked. */
const MAX_LOOKUPS = 2_048;

/**
 * Finds the files of the workspace that a command, an argument or a variable names in any way: on PATH, through links,
 * relative to the directory it starts in, or relative to another directory that is named.
 */
export function findWatchedFiles(
  program: Program,
  input: {
    readonly workspaceRoot: string;
    readonly setVariables: Readonly<Record<string, string>>;
  },
): WatchedFiles | { readonly reason: string } {
  const { workspaceRoot: root, setVariables } = input;
  const argumentPaths = program.args.flatMap(namedPaths);
  const names = [
    ...new Set([...argumentPaths, ...Object.values(setVariables).flatMap(namedPaths)]),
  ];
  const found: Found = { root, files: new Map(), directories: new Set(), special: [] };
  const searched = searchedDirectories(program, root);
  if (names.length * (searched.length + 1) > MAX_LOOKUPS) return TOO_MANY_LOOKUPS;
  // Only Windows searches the current directory for a bare command.
  const searchesCwd = sep !== "/" || isAbsolute(program.command);
  lookUp([program.command], searchesCwd ? [program.cwd, ...searched] : searched, found);
  lookUp(names, [program.cwd, ...searched], found);
  if (searched.length + found.directories.size > MAX_DIRECTORIES)
    return { reason: `it names more than ${MAX_DIRECTORIES} directories of the workspace` };
  if (names.length * found.directories.size > MAX_LOOKUPS) return TOO_MANY_LOOKUPS;
  // `--directory tools run server.py` names a file inside `tools`.
  lookUp(names, [...found.directories], found);
  const named = [...found.files.keys()].toSorted();
  const ancestors = ancestorsUpTo(root, program.cwd);
  lookUp(VERSION_FILES, ancestors, found);
  // The runner may come after a shell or `env`.
  const obeyedDirectories = [program.command, ...argumentPaths].some(isRunner) ? ancestors : [];
  for (const directory of new Set([...found.directories, ...obeyedDirectories]))
    lookUp(ENTRY_FILES, [directory], found);
  const [special] = found.special;
  if (special !== undefined)
    return { reason: `it names ${special}, which is neither a file nor a directory` };
  const files = [...found.files].map(([path, realPath]) => ({ path, realPath }));
  return {
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    named,
    directories: [...found.directories].toSorted(),
  };
}

const TOO_MANY_LOOKUPS = {
  reason: "it names too many words and directories to search for files",
};

interface Found {
  readonly root: string;
  readonly files: Map<string, string>;
  readonly directories: Set<string>;
  readonly special: string[];
}

/** Directories besides cwd where a name is searched: those of installed packages, and those of the workspace on PATH. */
function searchedDirectories({ cwd, env }: Program, root: string): readonly string[] {
  const path = env["PATH"] ?? env["Path"] ?? "";
  // An empty part of PATH means the current directory, and a relative one is below it.
  const onPath = path.split(delimiter).map((part) => resolve(cwd, part));
  const modules = ancestorsUpTo(root, cwd).flatMap((directory) => [
    join(directory, "node_modules"),
    join(directory, "node_modules", ".bin"),
  ]);
  const existing = [...new Set([...onPath, ...modules])].filter(
    (directory) => kindOf(directory) === "directory",
  );
  return existing.filter((directory) => isInWorkspace(directory, root));
}

/** A directory and its ancestors, up to the root. */
function ancestorsUpTo(root: string, directory: string): readonly string[] {
  if (!isInside(root, directory)) return [directory];
  return directory === root ? [root] : [directory, ...ancestorsUpTo(root, dirname(directory))];
}

function lookUp(names: readonly string[], directories: readonly string[], found: Found): void {
  for (const directory of directories)
    for (const name of names)
      SUFFIXES.forEach((suffix) => add(resolve(directory, name) + suffix, found));
}

/** Counts a link by where it is and by where it leads. */
function add(path: string, { root, files, directories, special }: Found): void {
  if (files.has(path) || directories.has(path)) return;
  const status = kindOf(path);
  const realPath = status === undefined ? undefined : realPathIfExists(path);
  if (status === undefined || realPath === undefined) return;
  if (!isInside(root, path) && !isInside(root, realPath)) return;
  if (status === "file") files.set(path, realPath);
  if (status === "directory") directories.add(path);
  if (status === "special") special.push(path);
}

function isInWorkspace(path: string, root: string): boolean {
  return isInside(root, path) || isInside(root, realPathIfExists(path) ?? path);
}

/** The kind of a path; `undefined` if nothing is there, or if the user cannot reach it, because then the server cannot either. */
function kindOf(path: string): "file" | "directory" | "special" | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (status.isFile()) return "file";
    return status.isDirectory() ? "directory" : "special";
  } catch (error) {
    if (!hasCode(error, "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG", "EINVAL", "EPERM"))
      throw error;
    return undefined;
  }
}
