import { terminalSafeLine } from "@caliban/common";
import { ALL_MEMORY, memoryPermission } from "@caliban/tools-builtin";
import { PROTOCOL_CODE, ProtocolError } from "../protocol-error.ts";
import type { ServedMemory } from "../served-memory.ts";
import { renderSkillFile, type ServedSkill, skillAddress } from "./served-skill.ts";

type SkillMemory = Pick<ServedMemory, "skills" | "policy" | "mask">;

/** A skill as `skills/list` and `skills/get` return it. */
interface SkillEntry {
  uri: string;
  frontmatter: { name: string; description: string };
  resources: { uri: string; digest: string; size: number }[];
}

/** The skills that clients may read, in a stable order. Learned ones come from memory, so its rules apply. */
async function listServedSkills({ skills, policy }: SkillMemory): Promise<readonly ServedSkill[]> {
  if (skills === undefined || memoryPermission(ALL_MEMORY, policy) !== "allow") return [];
  return (await skills()).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** All skills in one page: there are at most a few dozen. */
export async function listSkillEntries(memory: SkillMemory): Promise<{ skills: SkillEntry[] }> {
  const skills = await listServedSkills(memory);
  return { skills: await Promise.all(skills.map((skill) => entryOf(skill, memory))) };
}

/** @throws ProtocolError if no skill has this address */
export async function getSkillEntry(
  uri: string,
  memory: SkillMemory,
): Promise<{ skill: SkillEntry }> {
  return { skill: await entryOf(await findSkill(uri, memory), memory) };
}

/** @throws ProtocolError if no skill has this address */
export async function readSkillFile(uri: string, memory: SkillMemory): Promise<string> {
  return fileOf(await findSkill(uri, memory), memory);
}

const MAX_SHOWN_CHARACTERS = 200;

async function findSkill(uri: string, memory: SkillMemory): Promise<ServedSkill> {
  const skill = (await listServedSkills(memory)).find((each) => skillAddress(each) === uri);
  if (skill !== undefined) return skill;
  const shown = terminalSafeLine(uri.slice(0, MAX_SHOWN_CHARACTERS));
  throw new ProtocolError(PROTOCOL_CODE.resourceNotFound, `no such skill: ${shown}`, {
    uri: shown,
  });
}

function fileOf(skill: ServedSkill, { mask = (text) => text }: SkillMemory): string {
  return mask(renderSkillFile(skill));
}

async function entryOf(skill: ServedSkill, memory: SkillMemory): Promise<SkillEntry> {
  const { name, description } = skill;
  const uri = skillAddress(skill);
  const bytes = new TextEncoder().encode(fileOf(skill, memory));
  const file = { uri, digest: `sha256:${await sha256Hex(bytes)}`, size: bytes.length };
  return { uri, frontmatter: { name, description }, resources: [file] };
}

/** SHA-256 in hexadecimal digits. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // oxlint-disable-next-line no-restricted-globals -- the same text gives the same result in every runtime
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
