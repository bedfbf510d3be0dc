import { join } from "node:path";
import {
  type Disk,
  type HeldLock,
  removeQuietly,
  tryTwice,
  writeNewFile,
} from "@caliban/common/node";
import { PipelineError } from "../../errors.ts";
import type { Digests } from "../../generation/generation-record.ts";
import type { NewGeneration, WrittenGeneration } from "../../generation/generations.ts";
import { planGeneration } from "../../generation/plan-generation.ts";
import type { SeenGeneration } from "../../generation/seen-generation.ts";
import { CURRENT_FILE, generationDirectory, GENERATIONS_DIRECTORY } from "./current-generation.ts";
import { digest } from "./digest.ts";
import { currentNumber, digestsIn, lookAtGeneration } from "./look-at-generation.ts";
import { isDirectoryOrMissing } from "./memory-files.ts";
import { generationNumbers, removeTree, sweep } from "./sweep.ts";
import { writeFiles } from "./write-files.ts";

export interface WriteBench {
  readonly directory: string;
  readonly disk: Disk;
  readonly held: HeldLock;
}

/** A person who saves while we write is waited for, but not for ever. */
const MAX_LOOKS = 5;

/** Writes a generation whole and then makes it current by one rename. The lock is held all the while. */
export async function writeGeneration(
  bench: WriteBench,
  input: NewGeneration,
): Promise<WrittenGeneration> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    // oxlint-disable-next-line no-await-in-loop -- seldom more than once
    const written = await tryToWrite(bench, input);
    if (written !== "edited") return written;
  }
  const sentence = "The memory is being edited all the time; it is left as it is.";
  throw new PipelineError("TRANSIENT", sentence);
}

async function tryToWrite(
  bench: WriteBench,
  input: NewGeneration,
): Promise<WrittenGeneration | "edited"> {
  const { directory, disk } = bench;
  isDirectoryOrMissing(join(directory, GENERATIONS_DIRECTORY));
  const current = lookAtCurrent(directory);
  // What was undone or removed while the model worked must not come back by it.
  const { basedOn } = input;
  if (basedOn !== undefined && basedOn.number !== current?.record.number) return { kind: "lost" };
  // Also above what was undone or never finished: a number names one generation for good.
  const number = Math.max(0, current?.record.number ?? 0, ...generationNumbers(directory)) + 1;
  const earlier = current === undefined ? {} : lookAtEarlier(directory, current);
  const plan = planGeneration({ ...input, number, current, earlier }, digest);
  const place = generationDirectory(directory, number);
  const from = current && generationDirectory(directory, current.record.number);
  let isCurrent = false;
  try {
    await writeFiles({ disk, place, from, plan });
    const shown = await makeCurrent(bench, { number, current, input });
    if (shown !== "current") return shown === "lost" ? { kind: "lost" } : shown;
    isCurrent = true;
  } finally {
    if (!isCurrent) await removeTree(place);
  }
  await sweep(directory, [number, ...Object.keys(plan.record.seen).map(Number)], disk);
  return { kind: "written", number, notices: plan.notices };
}

function lookAtCurrent(directory: string): SeenGeneration | undefined {
  const number = currentNumber(directory);
  return number === undefined ? undefined : lookAtGeneration(directory, number);
}

/** The one that was current before the current one, where it is still there; the two are kept beside the new one. */
function lookAtEarlier(
  directory: string,
  { record }: SeenGeneration,
): Readonly<Record<string, Digests>> {
  const { previous } = record;
  if (previous === undefined) return {};
  try {
    const place = generationDirectory(directory, previous);
    return isDirectoryOrMissing(place) ? { [previous]: digestsIn(place) } : {};
  } catch (error) {
    // What is no longer in use must not stop what is.
    if (error instanceof PipelineError) return { [previous]: record.seen[previous] ?? {} };
    throw error;
  }
}

interface Shown {
  readonly number: number;
  readonly current: SeenGeneration | undefined;
  readonly input: NewGeneration;
}

/** The step that everybody sees, unless the turn is no longer ours or a person has just saved a file. */
async function makeCurrent(
  { directory, disk, held }: WriteBench,
  { number, current, input }: Shown,
): Promise<"current" | "lost" | "edited"> {
  const temporary = join(directory, `.${CURRENT_FILE}.${crypto.randomUUID()}.tmp`);
  let isRenamed = false;
  try {
    await writeNewFile(disk, temporary, `${number}\n`);
    await held.assertHeld();
    if (!isAsSeen(directory, current)) return "edited";
    if (!input.isStillOurs()) return "lost";
    await disk.rename(temporary, join(directory, CURRENT_FILE));
    isRenamed = true;
  } finally {
    if (!isRenamed) await removeQuietly(disk, temporary);
  }
  // It is current whatever the disk says now, and must not be taken away again.
  await tryTwice(() => disk.syncDirectory(directory));
  return "current";
}

function isAsSeen(directory: string, seen: SeenGeneration | undefined): boolean {
  const number = currentNumber(directory);
  if (number === undefined || seen === undefined) return number === seen?.record.number;
  if (number !== seen.record.number) return false;
  const now = digestsIn(generationDirectory(directory, number));
  const paths = new Set([...Object.keys(now), ...Object.keys(seen.digests)]);
  return [...paths].every((path) => now[path] === seen.digests[path]);
}
