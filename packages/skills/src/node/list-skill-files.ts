import { readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, isSymlink, realPathIfExists } from "@caliban/common/node";
import type { SkillSource } from "../read-skill.ts";
import type { SkillDiagnostic, SkillDiagnosticCode } from "../skill-diagnostic.ts";
import type { SkillDirectory } from "../skill-directories.ts";

/** A file that may contain a skill, and its real path. */
export interface SkillFile extends SkillSource {
  readonly realPath: string;
}

/** The skill files of a directory, and diagnostics about those that are skipped. */
export interface ListedSkillFiles {
  readonly files: readonly SkillFile[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

const SKILL_FILE = "SKILL.md";
const MAX_DIRECTORIES = 200;
const NOTHING: ListedSkillFiles = { files: [], diagnostics: [] };

/** Finds the SKILL.md files one level below a directory, in the same order on every machine. */
export function listSkillFiles(directory: SkillDirectory): ListedSkillFiles {
  const { path, within } = directory;
  const real = findRealPath(path);
  if (real.kind === "missing") return NOTHING;
  if (real.kind === "unreadable") return skipped("DIRECTORY_UNREADABLE", path, real.message);
  const limit = within === undefined ? undefined : (realPathIfExists(within) ?? within);
  const resolved: ResolvedDirectory = { ...directory, realPath: real.path, within: limit };
  if (isOutside(resolved, real.path)) return outside(path, real.path);
  const listed = listDirectories(real.path);
  if (listed.kind === "unreadable") return skipped("DIRECTORY_UNREADABLE", path, listed.message);
  const found = listed.names.slice(0, MAX_DIRECTORIES).map((name) => locateSkill(name, resolved));
  return {
    files: found.flatMap(({ files }) => files),
    diagnostics: [
      ...found.flatMap(({ diagnostics }) => diagnostics),
      ...tooMany(path, listed.names.length),
    ],
  };
}

/** A directory with its real path; `within` is real, too. */
interface ResolvedDirectory extends SkillDirectory {
  readonly realPath: string;
}

function locateSkill(
  directoryName: string,
  { realPath, ...directory }: ResolvedDirectory,
): ListedSkillFiles {
  const path = join(directory.path, directoryName, SKILL_FILE);
  const real = findRealPath(join(realPath, directoryName, SKILL_FILE));
  // There may be other directories next to the skills.
  if (real.kind === "missing") return NOTHING;
  if (real.kind === "unreadable") return skipped("UNREADABLE", path, real.message);
  if (isOutside(directory, real.path)) return outside(path, real.path);
  const file = { directoryName, path, origin: directory.origin, realPath: real.path };
  return { files: [file], diagnostics: [] };
}

function isOutside({ within }: Pick<SkillDirectory, "within">, realPath: string): boolean {
  if (within === undefined || realPath === within) return false;
  return !realPath.startsWith(within.endsWith(sep) ? within : within + sep);
}

type ListedDirectories =
  | { readonly kind: "listed"; readonly names: readonly string[] }
  | { readonly kind: "unreadable"; readonly message: string };

/** The names of directories, and of links, which may lead to one. */
function listDirectories(realPath: string): ListedDirectories {
  try {
    const entries = readdirSync(realPath, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name);
    return { kind: "listed", names: names.toSorted() };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return { kind: "unreadable", message: reasonFor(code) };
  }
}

/** The target of a path. A dangling link is unreadable, not missing, because someone put it there. */
type RealPath =
  | { readonly kind: "real"; readonly path: string }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly message: string };

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

function findRealPath(path: string): RealPath {
  try {
    return { kind: "real", path: realpathSync.native(path) };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (!MISSING.has(code)) return { kind: "unreadable", message: reasonFor(code) };
    if (!isSymlink(path)) return { kind: "missing" };
    return { kind: "unreadable", message: "dangling symbolic link" };
  }
}

function reasonFor(code: string): string {
  const reasons: ReadonlyMap<string, string> = new Map([
    ["EACCES", "permission denied"],
    ["EPERM", "permission denied"],
    ["ELOOP", "loop of symbolic links"],
    ["ENOTDIR", "not a directory"],
  ]);
  return reasons.get(code) ?? `system error ${code}`;
}

function tooMany(path: string, count: number): readonly SkillDiagnostic[] {
  if (count <= MAX_DIRECTORIES) return [];
  const message = `Contains ${count} directories; only the first ${MAX_DIRECTORIES} by name are read.`;
  return [{ code: "TOO_MANY_DIRECTORIES", path, message }];
}

function outside(path: string, realPath: string): ListedSkillFiles {
  const message = `Not read: it is a link to ${terminalSafeLine(realPath)}, outside the allowed directory.`;
  return { files: [], diagnostics: [{ code: "OUTSIDE", path, message }] };
}

function skipped(code: SkillDiagnosticCode, path: string, reason: string): ListedSkillFiles {
  return { files: [], diagnostics: [{ code, path, message: `Cannot be read: ${reason}.` }] };
}
