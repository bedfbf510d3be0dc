import { utf8Bytes } from "@caliban/common";
import type { MemorySkill, PlacedFile } from "../consolidation/consolidation-task.ts";
import { freeName, isSafePath, safeName } from "./safe-name.ts";
import { renderSkill } from "./render-skill.ts";

const MAX_SKILLS = 20;
const MAX_FILES = 20;
const MAX_FILE_BYTES: number = 64 * 1024;
const MAX_SKILL_BYTES: number = 256 * 1024;
const FOLDERS = ["scripts", "templates", "examples"] as const;

/** A skill that can be written as it is. */
interface SafeSkill {
  readonly name: string;
  /** Relative to the directory of the skill; SKILL.md is the first. */
  readonly files: readonly PlacedFile[];
}

export interface SafeSkills {
  readonly skills: readonly SafeSkill[];
  /** What was left out, in sentences. */
  readonly notices: readonly string[];
}

/** Names that an answer cannot have, in lower case. */
export interface TakenNames {
  /** Those of skills that a person wrote or edited. */
  readonly kept: ReadonlySet<string>;
  /** Those of skills that a person deleted. */
  readonly deleted: ReadonlySet<string>;
}

/** Makes the skills of an answer harmless: names, paths, numbers and sizes. What does not fit is left out and said. */
export function safeSkills(answered: readonly MemorySkill[], taken: TakenNames): SafeSkills {
  const skills: SafeSkill[] = [];
  const notices: string[] = [];
  const names = new Set(taken.kept);
  for (const skill of answered) {
    const base = safeName(skill.name);
    // Whoever plans the generation says that it is kept.
    if (base !== undefined && taken.kept.has(base)) continue;
    const reason = refusal(base, taken) ?? (skills.length >= MAX_SKILLS ? TOO_MANY : undefined);
    if (base === undefined || reason !== undefined) {
      notices.push(`${shownSkill(skill.name)} was left out: ${reason ?? NO_NAME}.`);
      continue;
    }
    const name = freeName(base, names);
    const safe = safeFiles(skill, name);
    notices.push(...safe.notices);
    if (safe.files === undefined) continue;
    names.add(name);
    skills.push({ name, files: safe.files });
  }
  return { skills, notices };
}

const NO_NAME = "its name has no letter or digit";
const TOO_MANY = `there are at most ${MAX_SKILLS}`;

function refusal(name: string | undefined, { deleted }: TakenNames): string | undefined {
  if (name === undefined) return NO_NAME;
  return deleted.has(name) ? "you deleted the one of that name" : undefined;
}

interface SafeFiles {
  /** `undefined` when the skill is left out. */
  readonly files: readonly PlacedFile[] | undefined;
  readonly notices: readonly string[];
}

function safeFiles(skill: MemorySkill, name: string): SafeFiles {
  const content = renderSkill(name, skill.content);
  if (content === undefined) return leftOut(name, "it has no text");
  if (utf8Bytes(content) > MAX_FILE_BYTES) {
    return leftOut(name, `its SKILL.md has more than ${MAX_FILE_BYTES} bytes`);
  }
  const files: PlacedFile[] = [{ path: "SKILL.md", content }];
  const notices: string[] = [];
  let bytes = utf8Bytes(content);
  for (const file of placedFiles(skill)) {
    const reason = fileProblem(file, files) ?? sizeProblem(file, bytes);
    if (reason === undefined) {
      bytes += utf8Bytes(file.content);
      files.push({ path: file.path, content: file.content.toWellFormed() });
    } else {
      notices.push(`Skill ${name}: the file ${quoted(file.path)} was left out: ${reason}.`);
    }
  }
  return { files, notices };
}

function placedFiles(skill: MemorySkill): readonly PlacedFile[] {
  return FOLDERS.flatMap((folder) =>
    skill[folder].map(({ path, content }) => ({ path: `${folder}/${path}`, content })),
  );
}

function fileProblem(file: PlacedFile, before: readonly PlacedFile[]): string | undefined {
  if (!isSafePath(file.path)) return "its path is no plain relative one";
  if (before.length >= MAX_FILES) return `a skill has at most ${MAX_FILES} files`;
  const path = file.path.toLowerCase();
  // A file cannot be the directory of another one.
  const isTaken = before.some((other) => {
    const known = other.path.toLowerCase();
    return known === path || known.startsWith(`${path}/`) || path.startsWith(`${known}/`);
  });
  return isTaken ? "another file has its name" : undefined;
}

function sizeProblem({ content }: PlacedFile, bytesBefore: number): string | undefined {
  if (content.includes("\0")) return "it is no text";
  const bytes = utf8Bytes(content);
  if (bytes > MAX_FILE_BYTES) return `it has more than ${MAX_FILE_BYTES} bytes`;
  if (bytesBefore + bytes > MAX_SKILL_BYTES) return `a skill has at most ${MAX_SKILL_BYTES} bytes`;
  return undefined;
}

function leftOut(name: string, reason: string): SafeFiles {
  return { files: undefined, notices: [`Skill ${name} was left out: ${reason}.`] };
}

function shownSkill(name: string): string {
  return `Skill ${quoted(name)}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
