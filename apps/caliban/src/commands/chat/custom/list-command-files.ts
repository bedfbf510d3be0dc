import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import type {
  CommandDirectory,
  CommandProblem,
  CommandProblemCode,
  CommandSource,
} from "./custom-command.ts";

/** A file that may contain a command. */
export interface CommandFile extends CommandSource {
  readonly realPath: string;
}

export interface ListedCommandFiles {
  readonly files: readonly CommandFile[];
  readonly problems: readonly CommandProblem[];
}

const MAX_FILES = 300;
const MAX_DIRECTORIES = 200;
const MAX_DEPTH = 4;
/** No control characters, separators or colons; the same on every system. */
const SEGMENT = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u;
/** The first part of `/user:deploy`, `/project:deploy` and `/skill:deploy`. */
const RESERVED: ReadonlySet<string> = new Set(["user", "project", "skill"]);

/** Finds the Markdown files in a directory and below it, in the same order on every machine. */
export function listCommandFiles(directory: CommandDirectory): ListedCommandFiles {
  const root = realPathIfExists(directory.path);
  if (root === undefined) return { files: [], problems: [] };
  const { within } = directory;
  const limit = within === undefined ? undefined : (realPathIfExists(within) ?? within);
  const walk: Walk = { ...directory, limit, files: [], problems: [], visited: new Set() };
  enter(walk, root, []);
  return { files: walk.files, problems: walk.problems };
}

interface Walk extends CommandDirectory {
  /** `within` without links. */
  readonly limit: string | undefined;
  readonly files: CommandFile[];
  readonly problems: CommandProblem[];
  readonly visited: Set<string>;
}

function enter(walk: Walk, realPath: string, segments: readonly string[]): void {
  if (isOutside(walk, realPath)) return skip(walk, segments, outside(realPath));
  // A link may lead to a directory above it.
  if (walk.visited.has(realPath)) return;
  walk.visited.add(realPath);
  const entries = entriesOf(realPath);
  if (typeof entries === "string") {
    return skip(walk, segments, { code: "UNREADABLE", message: cannotRead(entries) });
  }
  for (const entry of entries) {
    if (isFull(walk)) return;
    visit(walk, join(realPath, entry.name), [...segments, entry.name]);
  }
}

/** Reports it the first time. */
function isFull(walk: Walk): boolean {
  if (walk.files.length < MAX_FILES && walk.visited.size < MAX_DIRECTORIES) return false;
  if (walk.problems.some(({ code }) => code === "TOO_MANY")) return true;
  const message = `More than ${MAX_FILES} commands or ${MAX_DIRECTORIES} directories; the others are not read.`;
  skip(walk, [], { code: "TOO_MANY", message });
  return true;
}

function visit(walk: Walk, path: string, segments: readonly string[]): void {
  const name = segments.at(-1) ?? "";
  if (name.startsWith(".")) return;
  const found = locate(path);
  if (typeof found === "string") {
    if (name.endsWith(ENDING))
      skip(walk, segments, { code: "UNREADABLE", message: cannotRead(found) });
    return;
  }
  if (found.isDirectory) {
    if (segments.length < MAX_DEPTH) return enter(walk, found.realPath, segments);
    const message = `More than ${MAX_DEPTH - 1} directories deep; nothing in it is read.`;
    return skip(walk, segments, { code: "TOO_DEEP", message });
  }
  if (name.endsWith(ENDING)) addFile(walk, found.realPath, segments);
}

function addFile(walk: Walk, realPath: string, segments: readonly string[]): void {
  if (isOutside(walk, realPath)) return skip(walk, segments, outside(realPath));
  const parts = segments.join("/").slice(0, -ENDING.length).split("/");
  const invalid = parts.find((part) => !SEGMENT.test(part));
  const isReserved = parts.length > 1 && RESERVED.has(parts[0]?.toLowerCase() ?? "");
  if (invalid !== undefined || isReserved)
    return skip(walk, segments, { code: "INVALID_NAME", message: invalidName(invalid) });
  const { origin } = walk;
  walk.files.push({ name: parts.join(":"), origin, source: shownPath(walk, segments), realPath });
}

const ENDING = ".md";

function invalidName(part: string | undefined): string {
  return part === undefined
    ? "A directory named user, project or skill cannot be part of a name here. Rename it."
    : "Not a valid name for a command. Use letters, digits, dots, dashes and underscores.";
}

function isOutside({ limit }: Pick<Walk, "limit">, realPath: string): boolean {
  if (limit === undefined || realPath === limit) return false;
  return !realPath.startsWith(limit.endsWith(sep) ? limit : limit + sep);
}

function outside(realPath: string): Pick<CommandProblem, "code" | "message"> {
  const message = `Not read: it is a link to ${terminalSafeLine(realPath)}, outside the workspace.`;
  return { code: "OUTSIDE", message };
}

function skip(
  walk: Walk,
  segments: readonly string[],
  problem: { readonly code: CommandProblemCode; readonly message: string },
): void {
  const name = segments.join(":").replace(/\.md$/, "");
  walk.problems.push({ ...problem, path: shownPath(walk, segments), name });
}

function shownPath({ label }: CommandDirectory, segments: readonly string[]): string {
  return terminalSafeLine([label, ...segments].join("/"));
}

/** The entries by name, or why there are none. */
function entriesOf(realPath: string): readonly Dirent[] | string {
  try {
    const entries = readdirSync(realPath, { withFileTypes: true });
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    return codeOf(error);
  }
}

function locate(
  path: string,
): { readonly realPath: string; readonly isDirectory: boolean } | string {
  try {
    const realPath = realpathSync.native(path);
    return { realPath, isDirectory: statSync(realPath).isDirectory() };
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) throw error;
  return code;
}

function cannotRead(code: string): string {
  const reasons: Readonly<Record<string, string | undefined>> = {
    ENOENT: "dangling symbolic link",
    ELOOP: "loop of symbolic links",
    EACCES: "permission denied",
    EPERM: "permission denied",
    ENOTDIR: "not a directory",
  };
  return `Cannot be read: ${reasons[code] ?? `system error ${code}`}.`;
}
