import { readTextFile, realPathIfThere } from "@caliban/common/node";
import { type ParsedSkill, readPlainSkill, type SkillSource } from "../read-skill.ts";
import { type ResolvedSkills, resolveShadowing } from "../shadowing.ts";
import type { SkillDiagnostic } from "../skill-diagnostic.ts";
import type { SkillDirectory } from "../skill-directories.ts";
import type { Skill } from "../skill.ts";
import { listSkillFiles, type SkillFile } from "./list-skill-files.ts";

/** Where to look, and what there is anyway. */
export interface LoadSkillsInput {
  /** Those whose skills count first, first. */
  readonly directories: readonly SkillDirectory[];
  readonly bundled: readonly Skill[];
}

// A body, and a header of the longest kind that is read.
const MAX_FILE_BYTES: number = 128 * 1024;

/** Loads every skill that can be loaded, and says why the others are not; no file can make it throw. */
export async function loadSkills(input: LoadSkillsInput): Promise<ResolvedSkills> {
  const listed = distinct(input.directories).map(listSkillFiles);
  const files = listed.flatMap((place) => place.files);
  const loaded = await Promise.all(files.map(loadSkillFile));
  const found = loaded.flatMap(({ skill }) => skill ?? []);
  const { skills, diagnostics } = resolveShadowing([...found, ...input.bundled]);
  return {
    skills,
    diagnostics: [
      ...listed.flatMap((place) => place.diagnostics),
      ...loaded.flatMap(({ diagnostic }) => diagnostic ?? []),
      ...diagnostics,
    ],
  };
}

/** A place that is a link to another one would only shadow itself. */
function distinct(directories: readonly SkillDirectory[]): readonly SkillDirectory[] {
  const seen = new Set<string>();
  return directories.filter(({ path, origin }) => {
    const key = `${origin}:${realPathIfThere(path) ?? path}`;
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
  const file = await readTextFile(realPath, MAX_FILE_BYTES, { isRealPath: true });
  if (file.kind === "missing") return {};
  if (file.kind !== "text") {
    const code = file.kind === "not-a-file" ? "NOT_A_FILE" : "UNREADABLE";
    return { diagnostic: { code, path, sentence: `It cannot be read: ${file.message}.` } };
  }
  if (file.readBytes < file.fileBytes) {
    const sentence = `It has ${file.fileBytes} bytes; a skill has at most ${MAX_FILE_BYTES}.`;
    return { diagnostic: { code: "TOO_LARGE", path, sentence } };
  }
  const parsed = readPlainSkill(file.text, source) ?? (await parseYaml(file.text, source));
  if (parsed.kind === "skill")
    return { skill: parsed.skill, ...replacedBytes(path, file.invalidAt) };
  const { code, sentence, line } = parsed;
  return { diagnostic: { code, path, sentence, line } };
}

/** Most headers are plain, and who has no others need not wait for the parser. */
async function parseYaml(text: string, source: SkillSource): Promise<ParsedSkill> {
  const { parseSkill } = await import("../parse-skill.ts");
  return parseSkill(text, source);
}

function replacedBytes(
  path: string,
  invalidAt: { readonly line: number } | undefined,
): Pick<LoadedSkillFile, "diagnostic"> {
  if (invalidAt === undefined) return {};
  const sentence = "It has bytes that are not UTF-8, which were replaced; save it as UTF-8.";
  return { diagnostic: { code: "INVALID_UTF8", path, sentence, line: invalidAt.line } };
}
