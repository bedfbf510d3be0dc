import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Disk, writeNewFile } from "@caliban/common/node";
import type { GenerationPlan } from "../../generation/plan-generation.ts";
import { renderRecord } from "../../generation/generation-record.ts";
import { MEMORY_FILE, SKILLS_DIRECTORY, SUMMARY_FILE } from "../../generation/seen-generation.ts";
import { MADE_DIRECTORY, RECORD_FILE } from "./look-at-generation.ts";
import { filesBelow, readBytes } from "./memory-files.ts";

/** What is written where. */
export interface FilesInput {
  readonly disk: Disk;
  /** Of the new generation; it is not there yet. */
  readonly place: string;
  /** Of the generation that skills are copied from. */
  readonly from: string | undefined;
  readonly plan: GenerationPlan;
}

/* oxlint-disable no-await-in-loop -- one after the other, so that each can be the last */

/** Writes a whole generation, which nobody sees yet, and returns when it is on the disk. */
export async function writeFiles({ disk, place, from, plan }: FilesInput): Promise<void> {
  const madeTexts = plan.files.filter(({ path }) => path === MEMORY_FILE || path === SUMMARY_FILE);
  const files = [
    ...plan.files,
    ...madeTexts.map(({ path, content }) => ({ path: `${MADE_DIRECTORY}/${path}`, content })),
    { path: RECORD_FILE, content: renderRecord(plan.record) },
  ];
  await disk.makeDirectory(place);
  const directories = new Set([place]);
  const prepare = async (path: string): Promise<string> => {
    const target = join(place, ...path.split("/"));
    for (const directory of directoriesAbove(target, place)) {
      if (!directories.has(directory)) await disk.makeDirectory(directory);
      directories.add(directory);
    }
    return target;
  };
  await prepare(`${SKILLS_DIRECTORY}/any`);
  for (const { path, content } of files) await writeNewFile(disk, await prepare(path), content);
  for (const skill of from === undefined ? [] : plan.copiedSkills) {
    const way = `${SKILLS_DIRECTORY}/${skill}`;
    for (const path of filesBelow(join(from ?? "", way))) {
      await copyFile(disk, join(from ?? "", way, path), await prepare(`${way}/${path}`));
    }
  }
  for (const directory of [...directories].toReversed()) await disk.syncDirectory(directory);
  await disk.syncDirectory(dirname(place));
}

/* oxlint-enable no-await-in-loop */

/** Byte for byte. That a person may run it, only that person has said; it is kept, and never more than that. */
async function copyFile(disk: Disk, source: string, target: string): Promise<void> {
  const file = readBytes(source);
  if (file === undefined) return;
  const descriptor = await disk.create(target);
  try {
    writeFileSync(descriptor, file.bytes);
    await disk.sync(descriptor);
  } finally {
    await disk.close(descriptor);
  }
  if ((file.mode & 0o100) !== 0) chmodSync(target, 0o700);
}

/** From the topmost on. */
function directoriesAbove(target: string, place: string): readonly string[] {
  const above: string[] = [];
  for (let directory = dirname(target); directory !== place; directory = dirname(directory)) {
    above.unshift(directory);
  }
  return above;
}
