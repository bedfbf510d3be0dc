import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode, readTextFile } from "@caliban/common/node";
import { descriptionOf, splitSkill } from "../../generation/skill-header.ts";
import { type OfferedSkill, renderGuidance } from "../../guidance/render-guidance.ts";
import { generationDirectory, readCurrentNumber } from "./current-generation.ts";
import { isPlainDirectory, isPlainWay } from "./plain-way.ts";

export interface ReadGuidanceInput {
  /** `autonomous` in the home of the project. */
  readonly directory: string;
  readonly maxTokens: number;
  /** Names, in lower case, of skills that come before those that were learned; asked where any was. */
  readonly takenNames?: () => Promise<ReadonlySet<string>>;
}

/** What is put into the prompt, all of one generation. */
export interface Guidance {
  /** `undefined` when there is nothing to say. */
  readonly body: string | undefined;
  /** Whether the limit keeps some of it, or all, from being said. */
  readonly isCut: boolean;
  readonly generation: number | undefined;
  /** Where the playbooks of the same generation are. */
  readonly skillsDirectory: string | undefined;
  /** Why memory that is there is not used, in sentences. */
  readonly diagnostics: readonly string[];
}

const MAX_SUMMARY_BYTES: number = 1024 * 1024;
const MAX_SKILL_BYTES: number = 128 * 1024;
const MAX_SKILLS = 200;

/** Reads what a new session is told; no file can make it throw. */
export async function readGuidance(input: ReadGuidanceInput): Promise<Guidance> {
  const { directory, maxTokens, takenNames } = input;
  const current = readCurrentNumber(directory);
  if (current.kind === "none") return nothing();
  if (current.kind === "damaged") return nothing(`current: ${current.reason}`);
  const place = generationDirectory(directory, current.number);
  if (!isPlainWay(directory, ["generations", String(current.number)])) {
    return nothing(`generation ${current.number} is not there`);
  }
  const summary = await readTextFile(join(place, "memory_summary.md"), MAX_SUMMARY_BYTES, {
    refuseLinks: true,
  });
  const skills = join(place, "skills");
  const skillsDirectory = isPlainDirectory(skills) ? skills : undefined;
  const found = { generation: current.number, skillsDirectory };
  if (summary.kind !== "text") {
    const isGone = summary.kind === "missing";
    const diagnostics = isGone ? [] : [unused(`memory_summary.md: ${summary.message}`)];
    return { ...found, body: undefined, isCut: false, diagnostics };
  }
  const offered = await withoutTaken(await readSkills(skills), takenNames);
  const said = { memorySummary: summary.text, skills: offered };
  const body = renderGuidance({ ...said, maxTokens });
  const whole = renderGuidance({ ...said, maxTokens: Number.MAX_SAFE_INTEGER });
  const isCut = body !== whole || summary.readBytes < summary.fileBytes;
  return { ...found, body, isCut, diagnostics: [] };
}

/** Where the current generation is; `undefined` when there is none, or a link leads to it. */
export function currentGenerationDirectory(directory: string): string | undefined {
  const current = readCurrentNumber(directory);
  if (current.kind !== "number") return undefined;
  const way = ["generations", String(current.number)];
  return isPlainWay(directory, way) ? join(directory, ...way) : undefined;
}

/** Where the playbooks of the current generation are; `undefined` when there is none. */
export function currentSkillsDirectory(directory: string): string | undefined {
  const current = readCurrentNumber(directory);
  if (current.kind !== "number") return undefined;
  const way = ["generations", String(current.number), "skills"];
  return isPlainWay(directory, way) ? join(directory, ...way) : undefined;
}

/** What is not loaded is not offered either. */
async function withoutTaken(
  skills: readonly OfferedSkill[],
  takenNames: ReadGuidanceInput["takenNames"],
): Promise<readonly OfferedSkill[]> {
  if (skills.length === 0 || takenNames === undefined) return skills;
  const taken = await takenNames();
  return skills.filter(({ name }) => !taken.has(name.toLowerCase()));
}

async function readSkills(directory: string): Promise<readonly OfferedSkill[]> {
  const names = namesIn(directory);
  const skills = await Promise.all(names.map((name) => readSkill(directory, name)));
  return skills.flatMap((skill) => skill ?? []);
}

async function readSkill(directory: string, name: string): Promise<OfferedSkill | undefined> {
  if (!isPlainDirectory(join(directory, name))) return undefined;
  const path = join(directory, name, "SKILL.md");
  const file = await readTextFile(path, MAX_SKILL_BYTES, { refuseLinks: true });
  if (file.kind !== "text") return undefined;
  return { name, description: descriptionOf(splitSkill(file.text).header) };
}

/** In one order on every machine; none when they cannot be listed, which the loader of skills reports. */
function namesIn(directory: string): readonly string[] {
  if (!isPlainDirectory(directory)) return [];
  try {
    const names = readdirSync(directory).filter((name) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name));
    return names.toSorted().slice(0, MAX_SKILLS);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

function nothing(reason?: string): Guidance {
  const diagnostics = reason === undefined ? [] : [unused(reason)];
  const found = { generation: undefined, skillsDirectory: undefined };
  return { ...found, body: undefined, isCut: false, diagnostics };
}

function unused(reason: string): string {
  return `The memory of earlier sessions is not used (${reason}); caliban memory clear starts anew.`;
}
