import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, realPathIfThere } from "@caliban/common/node";
import type { SkillSource } from "../read-skill.ts";
import type { SkillDiagnostic, SkillDiagnosticCode } from "../skill-diagnostic.ts";
import type { SkillDirectory } from "../skill-directories.ts";
import { findRealPath, messageFor } from "./find-real-path.ts";

/** A file that may hold a skill, and where it really is. */
export interface SkillFile extends SkillSource {
  readonly realPath: string;
}

/** The files of a place, and what is said of those it has but does not give. */
export interface ListedSkillFiles {
  readonly files: readonly SkillFile[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

const SKILL_FILE = "SKILL.md";
const MAX_DIRECTORIES = 200;
const NOTHING: ListedSkillFiles = { files: [], diagnostics: [] };

/** Finds the SKILL.md files one level below a place, in one order on every machine. */
export function listSkillFiles(directory: SkillDirectory): ListedSkillFiles {
  const { path, within } = directory;
  const real = findRealPath(path);
  if (real.kind === "missing") return NOTHING;
  if (real.kind === "unreadable") return skipped("DIRECTORY_UNREADABLE", path, real.message);
  const limit = within === undefined ? undefined : (realPathIfThere(within) ?? within);
  const place: Place = { ...directory, realPath: real.path, within: limit };
  if (leaves(place, real.path)) return outside(path, real.path);
  const listed = listDirectories(real.path);
  if (listed.kind === "unreadable") return skipped("DIRECTORY_UNREADABLE", path, listed.message);
  const found = listed.names.slice(0, MAX_DIRECTORIES).map((name) => locate(name, place));
  return {
    files: found.flatMap(({ files }) => files),
    diagnostics: [
      ...found.flatMap(({ diagnostics }) => diagnostics),
      ...tooMany(path, listed.names.length),
    ],
  };
}

/** A place by its real path, with the real directory that nothing of it may leave. */
interface Place extends SkillDirectory {
  readonly realPath: string;
}

function locate(directoryName: string, { realPath, ...place }: Place): ListedSkillFiles {
  const path = join(place.path, directoryName, SKILL_FILE);
  const real = findRealPath(join(realPath, directoryName, SKILL_FILE));
  // Other directories may stand beside the skills.
  if (real.kind === "missing") return NOTHING;
  if (real.kind === "unreadable") return skipped("UNREADABLE", path, real.message);
  if (leaves(place, real.path)) return outside(path, real.path);
  const file = { directoryName, path, origin: place.origin, realPath: real.path };
  return { files: [file], diagnostics: [] };
}

function leaves({ within }: Pick<Place, "within">, realPath: string): boolean {
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
    return { kind: "unreadable", message: messageFor(code) };
  }
}

function tooMany(path: string, count: number): readonly SkillDiagnostic[] {
  if (count <= MAX_DIRECTORIES) return [];
  const sentence = `It has ${count} directories; only the first ${MAX_DIRECTORIES} by name are looked into.`;
  return [{ code: "TOO_MANY_DIRECTORIES", path, sentence }];
}

function outside(path: string, realPath: string): ListedSkillFiles {
  const sentence = `It is a link to ${terminalSafeLine(realPath)}, which is outside; skills are not read from there.`;
  return { files: [], diagnostics: [{ code: "OUTSIDE", path, sentence }] };
}

function skipped(code: SkillDiagnosticCode, path: string, message: string): ListedSkillFiles {
  return { files: [], diagnostics: [{ code, path, sentence: `It cannot be read: ${message}.` }] };
}
