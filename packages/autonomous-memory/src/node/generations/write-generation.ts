import { join } from "node:path";
import {
  type Disk,
  type HeldLock,
  removeQuietly,
  tryTwice,
  writeNewFile,
} from "@caliban/common/node";
import { PipelineError, isPipelineError } from "../../run/errors.ts";
import type { Digests } from "../../generation/generation-record.ts";
import type { NewGeneration, WrittenGeneration } from "../../generation/generations.ts";
import { planGeneration } from "../../generation/plan-generation.ts";
import type { GenerationSnapshot } from "../../generation/generation-snapshot.ts";
import { CURRENT_FILE, generationDirectory, GENERATIONS_DIRECTORY } from "./current-generation.ts";
import { digest, currentNumber, digestsIn, readSnapshot } from "./read-snapshot.ts";

import { directoryExists } from "./memory-files.ts";
import { generationNumbers, removeTree, cleanUp } from "./clean-up.ts";
import { rejectedNumbers, rejectIfWorse } from "./rejected-candidates.ts";
import { writeFiles } from "./write-files.ts";

/** What is needed to change the memory. */
export interface WriteContext {
  readonly directory: string;
  readonly disk: Disk;
  readonly held: HeldLock;
}

/** A user who saves while we write is waited for, but not forever. */
const MAX_TRIES = 5;

/** Writes a complete generation and then makes it current by one rename. The lock is held throughout. */
export async function writeGeneration(
  context: WriteContext,
  input: NewGeneration,
): Promise<WrittenGeneration> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const written = await tryToWrite(context, input);
    if (written !== "edited") return written;
  }
  const message = "The memory is being edited continuously; it was not updated.";
  throw new PipelineError("TRANSIENT", message);
}

async function tryToWrite(
  context: WriteContext,
  input: NewGeneration,
): Promise<WrittenGeneration | "edited"> {
  const { directory, disk } = context;
  directoryExists(join(directory, GENERATIONS_DIRECTORY));
  const current = readCurrent(directory);
  // A memory that was undone or removed while the model worked must not come back.
  const { basedOn } = input;
  if (basedOn !== undefined && basedOn.number !== current?.record.number) return { kind: "lost" };
  // Higher than undone and unfinished ones as well: a number names one generation forever.
  const taken = [...generationNumbers(directory), ...rejectedNumbers(directory)];
  const number = Math.max(0, current?.record.number ?? 0, ...taken) + 1;
  const earlier = current === undefined ? {} : readEarlier(directory, current);
  const plan = planGeneration({ ...input, number, current, earlier }, digest);
  const target = generationDirectory(directory, number);
  const from = current && generationDirectory(directory, current.record.number);
  const rejected = await rejectIfWorse(context, { plan, current, input });
  if (rejected !== undefined) return rejected;
  let isCurrent = false;
  try {
    await writeFiles({ disk, target, from, plan });
    const result = await makeCurrent(context, { number, current, input });
    if (result !== "current") return result === "lost" ? { kind: "lost" } : result;
    isCurrent = true;
  } finally {
    if (!isCurrent) await removeTree(target);
  }
  await cleanUp(directory, [number, ...Object.keys(plan.record.seen).map(Number)], disk);
  return { kind: "written", number, notices: plan.notices };
}

function readCurrent(directory: string): GenerationSnapshot | undefined {
  const number = currentNumber(directory);
  return number === undefined ? undefined : readSnapshot(directory, number);
}

/** The generation before the current one, if it still exists; both are kept along with the new one. */
function readEarlier(
  directory: string,
  { record }: GenerationSnapshot,
): Readonly<Record<string, Digests>> {
  const { previous } = record;
  if (previous === undefined) return {};
  try {
    const path = generationDirectory(directory, previous);
    return directoryExists(path) ? { [previous]: digestsIn(path) } : {};
  } catch (error) {
    // A problem with an old generation must not block the new one.
    if (isPipelineError(error)) return { [previous]: record.seen[previous] ?? {} };
    throw error;
  }
}

interface Candidate {
  readonly number: number;
  readonly current: GenerationSnapshot | undefined;
  readonly input: NewGeneration;
}

/** The step that makes it visible, unless the claim was lost or the user has just saved a file. */
async function makeCurrent(
  { directory, disk, held }: WriteContext,
  { number, current, input }: Candidate,
): Promise<"current" | "lost" | "edited"> {
  const temporary = join(directory, `.${CURRENT_FILE}.${crypto.randomUUID()}.tmp`);
  let isRenamed = false;
  try {
    await writeNewFile(disk, temporary, `${number}\n`);
    await held.assertHeld();
    if (!isUnchanged(directory, current)) return "edited";
    if (!input.isStillClaimed()) return "lost";
    await disk.rename(temporary, join(directory, CURRENT_FILE));
    isRenamed = true;
  } finally {
    if (!isRenamed) await removeQuietly(disk, temporary);
  }
  // It is current even if this fails, and must not be removed again.
  await tryTwice(() => disk.syncDirectory(directory));
  return "current";
}

function isUnchanged(directory: string, snapshot: GenerationSnapshot | undefined): boolean {
  const number = currentNumber(directory);
  if (number === undefined || snapshot === undefined) return number === snapshot?.record.number;
  if (number !== snapshot.record.number) return false;
  const now = digestsIn(generationDirectory(directory, number));
  const paths = new Set([...Object.keys(now), ...Object.keys(snapshot.digests)]);
  return [...paths].every((path) => now[path] === snapshot.digests[path]);
}
