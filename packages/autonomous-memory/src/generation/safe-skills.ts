import { terminalSafeLine, utf8Bytes } from "@caliban/common";
import type { PipelineNotice } from "../run/notice.ts";
import type { MemoryFile, MemorySkill } from "./memory.ts";
import { isSafePath, safeName, uniqueName } from "./safe-name.ts";
import { oneLine, readDescription, splitSkill } from "./skill-header.ts";

const MAX_SKILLS = 20;
const MAX_FILES = 20;
const MAX_FILE_BYTES: number = 64 * 1024;
const MAX_SKILL_BYTES: number = 256 * 1024;
const MAX_DESCRIPTION_CHARACTERS = 1024;
const FOLDERS = ["scripts", "templates", "examples"] as const;

/** A skill that can be written as it is. */
interface SafeSkill {
  readonly name: string;
  /** Relative to the directory of the skill; SKILL.md is the first. */
  readonly files: readonly MemoryFile[];
}

export interface SanitizedSkills {
  readonly skills: readonly SafeSkill[];
  /** About everything that was rejected. */
  readonly notices: readonly PipelineNotice[];
}

/** Names that an answer cannot use, in lower case. */
export interface ReservedNames {
  /** Of skills that the user wrote or edited. */
  readonly kept: ReadonlySet<string>;
  /** Of skills that the user deleted. */
  readonly deleted: ReadonlySet<string>;
}

/** Sanitizes the skills of an answer: names, paths, counts and sizes. Rejects and reports the rest. */
export function sanitizeSkills(
  answered: readonly MemorySkill[],
  reserved: ReservedNames,
): SanitizedSkills {
  const skills: SafeSkill[] = [];
  const notices: PipelineNotice[] = [];
  const names = new Set(reserved.kept);
  for (const skill of answered) {
    const base = safeName(skill.name);
    // Reported by the caller as kept.
    if (base !== undefined && reserved.kept.has(base)) continue;
    const reason = nameProblem(base, reserved) ?? (skills.length >= MAX_SKILLS ? TOO_MANY : "");
    if (base === undefined || reason !== "") {
      notices.push(rejected(`Skill ${quote(skill.name)}`, reason));
      continue;
    }
    const name = uniqueName(base, names);
    const safe = sanitizeFiles(skill, name);
    notices.push(...safe.notices);
    if (safe.files === undefined) continue;
    names.add(name);
    skills.push({ name, files: safe.files });
  }
  return { skills, notices };
}

const TOO_MANY = `there are more than ${MAX_SKILLS}`;

function nameProblem(name: string | undefined, { deleted }: ReservedNames): string | undefined {
  if (name === undefined) return "its name has no letter or digit";
  return deleted.has(name) ? "you deleted a skill of that name" : undefined;
}

function rejected(what: string, reason: string): PipelineNotice {
  return { code: "SKILL_REJECTED", message: `${what}: rejected because ${reason}.` };
}

interface SanitizedFiles {
  /** `undefined` when the whole skill is rejected. */
  readonly files: readonly MemoryFile[] | undefined;
  readonly notices: readonly PipelineNotice[];
}

function sanitizeFiles(skill: MemorySkill, name: string): SanitizedFiles {
  const content = renderSkill(name, skill.content);
  const problem = skillProblem(content);
  if (content === undefined || problem !== undefined)
    return { files: undefined, notices: [rejected(`Skill ${name}`, problem ?? "")] };
  const files: MemoryFile[] = [{ path: "SKILL.md", content }];
  const notices: PipelineNotice[] = [];
  let bytes = utf8Bytes(content);
  for (const file of filesOf(skill)) {
    const reason = pathProblem(file, files) ?? contentProblem(file, bytes);
    if (reason === undefined) {
      bytes += utf8Bytes(file.content);
      files.push({ path: file.path, content: file.content.toWellFormed() });
    } else {
      notices.push(rejected(`Skill ${name}, file ${quote(file.path)}`, reason));
    }
  }
  return { files, notices };
}

function skillProblem(content: string | undefined): string | undefined {
  if (content === undefined) return "it has no text";
  const isLong = utf8Bytes(content) > MAX_FILE_BYTES;
  return isLong ? `its SKILL.md is longer than ${MAX_FILE_BYTES} bytes` : undefined;
}

function filesOf(skill: MemorySkill): readonly MemoryFile[] {
  return FOLDERS.flatMap((folder) =>
    skill[folder].map(({ path, content }) => ({ path: `${folder}/${path}`, content })),
  );
}

function pathProblem(file: MemoryFile, before: readonly MemoryFile[]): string | undefined {
  if (!isSafePath(file.path)) return "its path is not a plain relative path";
  if (before.length >= MAX_FILES) return `the skill has more than ${MAX_FILES} files`;
  const path = file.path.toLowerCase();
  // A file cannot be the directory of another one.
  const isTaken = before.some((other) => {
    const known = other.path.toLowerCase();
    return known === path || known.startsWith(`${path}/`) || path.startsWith(`${known}/`);
  });
  return isTaken ? "another file has the same name" : undefined;
}

function contentProblem({ content }: MemoryFile, bytesBefore: number): string | undefined {
  if (content.includes("\0")) return "it is not a text file";
  const bytes = utf8Bytes(content);
  if (bytes > MAX_FILE_BYTES) return `it is longer than ${MAX_FILE_BYTES} bytes`;
  if (bytesBefore + bytes > MAX_SKILL_BYTES)
    return `the skill is longer than ${MAX_SKILL_BYTES} bytes`;
  return undefined;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

/**
 * A SKILL.md that every skill loader accepts: our own header, with the description from the old one or from the text.
 * `undefined` when there is no text below the header.
 */
function renderSkill(name: string, content: string): string | undefined {
  const { header, body } = splitSkill(content.replaceAll("\0", "").toWellFormed());
  const text = body.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  if (text.trim() === "") return undefined;
  const description = shorten(escapeLine(readDescription(header)) || firstTextLine(text) || name);
  // JSON strings are valid YAML.
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${text}\n`;
}

/** The first line with words, without heading and list markers. */
function firstTextLine(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => escapeLine(line.replace(/^\s*(?:#+|[-*+>])\s+/, "")));
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "";
}

function escapeLine(line: string): string {
  return terminalSafeLine(oneLine(line)).replaceAll("<", "&lt;");
}

function shorten(line: string): string {
  if (line.length <= MAX_DESCRIPTION_CHARACTERS) return line;
  return `${line
    .slice(0, MAX_DESCRIPTION_CHARACTERS - 1)
    .toWellFormed()
    .trimEnd()}…`;
}
