import { join } from "node:path";
import { type Disk, listNames, statIfExists, writeNewFile } from "@caliban/common/node";
import { rejectionMessage, renderRejection } from "../../exam/render-rejection.ts";
import { isWorse } from "../../exam/take-exam.ts";
import {
  type GenerationSnapshot,
  MEMORY_FILE,
  SKILLS_DIRECTORY,
  SUMMARY_FILE,
} from "../../generation/generation-snapshot.ts";
import type {
  NewGeneration,
  RejectedCandidate,
  WrittenGeneration,
} from "../../generation/generations.ts";
import type { GenerationPlan } from "../../generation/plan-generation.ts";
import { removeTree } from "./clean-up.ts";
import {
  generationDirectory,
  GENERATIONS_DIRECTORY,
  readCurrentNumber,
} from "./current-generation.ts";
import { directoryExists } from "./memory-files.ts";
import { readSkills } from "./read-snapshot.ts";
import { writeFiles } from "./write-files.ts";

/** Explains a rejection, next to the files of the candidate. */
const REASON_FILE = "REJECTED.md";
const REJECTED_DIRECTORY = "rejected";
const MAX_KEPT = 3;

interface ExaminedCandidate {
  readonly plan: GenerationPlan;
  readonly current: GenerationSnapshot | undefined;
  readonly input: NewGeneration;
}

/** Examines a candidate before anything of it is visible. Keeps one that finds less for inspection. */
export async function rejectIfWorse(
  { directory, disk }: { readonly directory: string; readonly disk: Disk },
  { plan, current, input }: ExaminedCandidate,
): Promise<Extract<WrittenGeneration, { readonly kind: "rejected" }> | undefined> {
  if (current === undefined || input.exam === undefined) return undefined;
  const from = generationDirectory(directory, current.record.number);
  const copied = new Set(plan.copiedSkills);
  const skills = readSkills(from, current.skills);
  const result = input.exam({
    before: [
      current.memoryMd.current,
      current.memorySummary.current,
      ...skills.map(({ content }) => content),
    ],
    after: [
      ...plan.files.filter(({ path }) => isRead(path)).map(({ content }) => content),
      ...skills.filter(({ name }) => copied.has(name)).map(({ content }) => content),
    ],
  });
  if (!isWorse(result)) return undefined;
  const { number } = plan.record;
  // A link there must not lead the candidate elsewhere.
  directoryExists(rejectedDirectory(directory));
  const target = join(rejectedDirectory(directory), String(number));
  await writeFiles({ disk, target, from, plan });
  const reason = renderRejection({
    result,
    number,
    madeAt: plan.record.madeAt,
    before: current.memoryMd.current,
    after: plan.files.find(({ path }) => path === MEMORY_FILE)?.content ?? "",
  });
  // Last, so that a candidate without a reason is one whose writer crashed.
  await writeNewFile(disk, join(target, REASON_FILE), reason);
  await removeOld(directory);
  return { kind: "rejected", number, path: target, message: rejectionMessage(result, number) };
}

/** What a session reads of a memory: not its inputs. */
function isRead(path: string): boolean {
  return path === MEMORY_FILE || path === SUMMARY_FILE || path.startsWith(`${SKILLS_DIRECTORY}/`);
}

async function removeOld(directory: string): Promise<void> {
  const numbers = rejectedNumbers(directory).toSorted((one, other) => other - one);
  for (const number of numbers.slice(MAX_KEPT)) {
    await removeTree(join(rejectedDirectory(directory), String(number)));
  }
}

/** The numbers of rejected candidates that are kept. */
export function rejectedNumbers(directory: string): readonly number[] {
  return listNames(rejectedDirectory(directory))
    .filter((name) => /^[1-9]\d{0,8}$/.test(name))
    .map(Number);
}

function rejectedDirectory(directory: string): string {
  return join(directory, GENERATIONS_DIRECTORY, REJECTED_DIRECTORY);
}

/** The last rejected candidate, if it is newer than the current generation. Creates nothing. */
export function readRejected(directory: string): RejectedCandidate | undefined {
  const number = Math.max(0, ...rejectedNumbers(directory));
  if (number === 0) return undefined;
  const path = join(rejectedDirectory(directory), String(number), REASON_FILE);
  const current = readCurrentNumber(directory);
  const isOlder = current.kind === "number" && number < current.number;
  return isOlder || statIfExists(path) === undefined ? undefined : { number, path };
}
