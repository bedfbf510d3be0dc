import { join } from "node:path";
import { command, type Diagnostic, withCommands } from "@caliban/common";
import { listNames, readTextFile } from "@caliban/common/node";
import type { ForgottenStatements } from "../../forgotten/forgotten-statements.ts";
import { type OfferedSkill, renderGuidance } from "../../generation/render-guidance.ts";
import { readDescription, splitSkill } from "../../generation/skill-header.ts";
import {
  generationDirectory,
  GENERATIONS_DIRECTORY,
  readCurrentNumber,
} from "./current-generation.ts";
import { isPlainDirectory, isPlainPath } from "./plain-directories.ts";

export interface ReadGuidanceInput {
  /** `autonomous` in the project's directory. */
  readonly directory: string;
  readonly maxTokens: number;
  /** What the user forgot, which is left out. */
  readonly forgotten?: Pick<ForgottenStatements, "strip"> | undefined;
  /** Lower-case names of skills that take precedence over learned ones; only called if any were learned. */
  readonly takenNames?: () => Promise<ReadonlySet<string>>;
}

/** The learned memory in a prompt, all from one generation. */
export interface Guidance {
  /** `undefined` when there is nothing to add to the prompt. */
  readonly body: string | undefined;
  /** Whether the limit excludes some of it, or all. */
  readonly isCut: boolean;
  /** How many forgotten statements were left out, if any. */
  readonly removed?: number | undefined;
  readonly generation: number | undefined;
  /** The playbooks of the same generation. */
  readonly skillsDirectory: string | undefined;
  /** Why an existing memory is not used. */
  readonly diagnostics: readonly Diagnostic<"MEMORY_UNUSABLE">[];
}

const MAX_SUMMARY_BYTES: number = 1024 * 1024;
const MAX_SKILL_BYTES: number = 128 * 1024;
const MAX_SKILLS = 200;

/**
 * Reads the learned memory for a new session. No content of a file makes it throw.
 * @example
 * ```ts
 * import { readGuidance } from "@caliban/autonomous-memory/node";
 *
 * const { body = "" } = await readGuidance({ directory: "autonomous", maxTokens: 5_000 });
 * console.log(body); // empty until something was learned
 * ```
 */
export async function readGuidance(input: ReadGuidanceInput): Promise<Guidance> {
  const { directory, maxTokens, takenNames, forgotten } = input;
  const current = readCurrentNumber(directory);
  if (current.kind === "none") return noGuidance();
  if (current.kind === "damaged") return noGuidance(`current: ${current.reason}`);
  const root = plainGeneration(directory, current.number);
  if (root === undefined) return noGuidance(`generation ${current.number} does not exist`);
  const summary = readTextFile(join(root, "memory_summary.md"), MAX_SUMMARY_BYTES, {
    refuseLinks: true,
  });
  const skills = join(root, "skills");
  const skillsDirectory = isPlainDirectory(skills) ? skills : undefined;
  const found = { generation: current.number, skillsDirectory };
  if (summary.kind !== "text") {
    const isMissing = summary.kind === "missing";
    const diagnostics = isMissing ? [] : [unusable(`memory_summary.md: ${summary.message}`)];
    return { ...found, body: undefined, isCut: false, diagnostics };
  }
  const offered = await withoutTaken(readSkills(skills), takenNames);
  const left = forgotten?.strip(summary.text) ?? { text: summary.text, removed: 0 };
  const skillsLeft = offered.filter(
    ({ description }) => (forgotten?.strip(description).removed ?? 0) === 0,
  );
  const removed = left.removed + offered.length - skillsLeft.length;
  const content = { memorySummary: left.text, skills: skillsLeft };
  const body = renderGuidance({ ...content, maxTokens });
  const full = renderGuidance({ ...content, maxTokens: Number.MAX_SAFE_INTEGER });
  const isCut = body !== full || summary.readBytes < summary.fileBytes;
  return { ...found, body, isCut, ...(removed === 0 ? {} : { removed }), diagnostics: [] };
}

/** The directory of the current generation; `undefined` when there is none, or it is behind a symbolic link. */
export function currentGenerationDirectory(directory: string): string | undefined {
  const current = readCurrentNumber(directory);
  return current.kind === "number" ? plainGeneration(directory, current.number) : undefined;
}

function plainGeneration(directory: string, number: number): string | undefined {
  const isPlain = isPlainPath(directory, [GENERATIONS_DIRECTORY, String(number)]);
  return isPlain ? generationDirectory(directory, number) : undefined;
}

/** The directory of the current playbooks; `undefined` when there is none. */
export function currentSkillsDirectory(directory: string): string | undefined {
  const root = currentGenerationDirectory(directory);
  const skills = root === undefined ? undefined : join(root, "skills");
  return skills !== undefined && isPlainDirectory(skills) ? skills : undefined;
}

/** Skills that will not be loaded must not be offered either. */
async function withoutTaken(
  skills: readonly OfferedSkill[],
  takenNames: ReadGuidanceInput["takenNames"],
): Promise<readonly OfferedSkill[]> {
  if (skills.length === 0 || takenNames === undefined) return skills;
  const taken = await takenNames();
  return skills.filter(({ name }) => !taken.has(name.toLowerCase()));
}

/** In the same order on every machine; none when they cannot be listed, which the skill loader reports. */
function readSkills(directory: string): readonly OfferedSkill[] {
  if (!isPlainDirectory(directory)) return [];
  return listNames(directory)
    .filter((name) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    .toSorted()
    .slice(0, MAX_SKILLS)
    .flatMap((name) => readSkill(directory, name) ?? []);
}

function readSkill(directory: string, name: string): OfferedSkill | undefined {
  if (!isPlainDirectory(join(directory, name))) return undefined;
  const path = join(directory, name, "SKILL.md");
  const file = readTextFile(path, MAX_SKILL_BYTES, { refuseLinks: true });
  if (file.kind !== "text") return undefined;
  return { name, description: readDescription(splitSkill(file.text).header) };
}

function noGuidance(reason?: string): Guidance {
  const diagnostics = reason === undefined ? [] : [unusable(reason)];
  const found = { generation: undefined, skillsDirectory: undefined };
  return { ...found, body: undefined, isCut: false, diagnostics };
}

function unusable(reason: string): Diagnostic<"MEMORY_UNUSABLE"> {
  return {
    code: "MEMORY_UNUSABLE",
    ...withCommands`Learned memory is not used: ${reason}. Start over with: ${command("memory clear")}`,
  };
}
