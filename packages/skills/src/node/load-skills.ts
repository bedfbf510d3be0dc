import { requireArguments } from "@caliban/common";
import { readTextFile, realPathIfExists } from "@caliban/common/node";
import { brokenRule } from "../agent-skills-rules.ts";
import { type ParsedSkill, readPlainSkill, type SkillSource } from "../read-skill.ts";
import { type ResolvedSkills, resolveShadowing } from "../shadowing.ts";
import type { SkillDiagnostic } from "../skill-diagnostic.ts";
import type { SkillDirectory } from "../skill-directories.ts";
import type { Skill } from "../skill.ts";
import { listSkillFiles, type SkillFile } from "./list-skill-files.ts";

/** Where to look for skills. */
export interface LoadSkillsInput {
  /** In order of precedence, highest first. */
  readonly directories: readonly SkillDirectory[];
  /** Skills that need no file, such as `bundledSkills()`. */
  readonly bundled?: readonly Skill[];
}

// A body, and the longest header that is read.
const MAX_FILE_BYTES: number = 128 * 1024;

/**
 * Loads every skill that can be loaded and reports why the others are not. No file can make it throw.
 *
 * @example
 * import { bundledSkills } from "@caliban/skills";
 * import { loadSkills } from "@caliban/skills/node";
 *
 * const { skills, diagnostics } = await loadSkills({
 *   directories: [{ path: ".caliban/skills", origin: "workspace", within: process.cwd() }],
 *   bundled: bundledSkills(),
 * });
 * console.log(skills.map(({ name }) => name), diagnostics); // [ 'auto-memory' ] []
 */
export async function loadSkills(input: LoadSkillsInput): Promise<ResolvedSkills> {
  requireArguments("loadSkills", input, ["directories"]);
  const { directories, bundled = [] } = input;
  const listed = distinct(directories).map(listSkillFiles);
  const files = listed.flatMap((directory) => directory.files);
  const loaded = await Promise.all(files.map(loadSkillFile));
  const found = loaded.flatMap(({ skill }) => skill ?? []);
  const { skills, diagnostics } = resolveShadowing([...found, ...bundled]);
  return {
    skills,
    diagnostics: [
      ...listed.flatMap((directory) => directory.diagnostics),
      ...loaded.flatMap(({ diagnostic }) => diagnostic ?? []),
      ...diagnostics,
      ...unportable(skills, files),
    ],
  };
}

/** Drops a directory that is a link to an earlier one, because its skills would only shadow themselves. */
function distinct(directories: readonly SkillDirectory[]): readonly SkillDirectory[] {
  const seen = new Set<string>();
  return directories.filter(({ path, origin }) => {
    const key = `${origin}:${realPathIfExists(path) ?? path}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

interface LoadedSkillFile {
  readonly skill?: Skill;
  readonly diagnostic?: SkillDiagnostic;
}

async function loadSkillFile({ realPath, ...source }: SkillFile): Promise<LoadedSkillFile> {
  const { path } = source;
  const file = readTextFile(realPath, MAX_FILE_BYTES, { isRealPath: true });
  if (file.kind === "missing") return {};
  if (file.kind !== "text") {
    const code = file.kind === "not-a-file" ? "NOT_A_FILE" : "UNREADABLE";
    return { diagnostic: { code, path, message: `Cannot be read: ${file.message}.` } };
  }
  if (file.readBytes < file.fileBytes) {
    const message = `Too large: ${file.fileBytes} bytes; the limit is ${MAX_FILE_BYTES}.`;
    return { diagnostic: { code: "TOO_LARGE", path, message } };
  }
  const parsed = readPlainSkill(file.text, source) ?? (await parseYaml(file.text, source));
  if (parsed.kind === "skill")
    return { skill: parsed.skill, ...replacedBytes(path, file.invalidAt) };
  const { code, message, line } = parsed;
  return { diagnostic: { code, path, message, line } };
}

/** Most headers are plain, so the parser is loaded only for the others. */
async function parseYaml(text: string, source: SkillSource): Promise<ParsedSkill> {
  const { parseSkillFile } = await import("./parse-skill-file.ts");
  return parseSkillFile(text, source);
}

/** Learned skills have names of our own making, and are served over MCP only if clients accept them. */
function unportable(
  skills: readonly Skill[],
  files: readonly SkillFile[],
): readonly SkillDiagnostic[] {
  const directories = new Map(files.map(({ path, directoryName }) => [path, directoryName]));
  return skills.flatMap((skill) => {
    const directory = directories.get(skill.path);
    if (directory === undefined || skill.origin === "generated") return [];
    const message = brokenRule(skill, directory);
    return message === undefined ? [] : [{ code: "NOT_PORTABLE", path: skill.path, message }];
  });
}

function replacedBytes(
  path: string,
  invalidAt: { readonly line: number } | undefined,
): Pick<LoadedSkillFile, "diagnostic"> {
  if (invalidAt === undefined) return {};
  const message = "Contains bytes that are not UTF-8; they were replaced. Save the file as UTF-8.";
  return { diagnostic: { code: "INVALID_UTF8", path, message, line: invalidAt.line } };
}
