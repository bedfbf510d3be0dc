import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Disk, writeNewFile } from "@caliban/common/node";
import type { GenerationPlan } from "../../generation/plan-generation.ts";
import { renderRecord } from "../../generation/generation-record.ts";
import {
  MEMORY_FILE,
  SKILLS_DIRECTORY,
  SUMMARY_FILE,
} from "../../generation/generation-snapshot.ts";
import { GENERATED_DIRECTORY, RECORD_FILE } from "./read-snapshot.ts";
import { listFiles, readBytes } from "./memory-files.ts";

export interface FilesInput {
  readonly disk: Disk;
  /** The directory of the new generation, which does not exist yet. */
  readonly target: string;
  /** The generation that skills are copied from. */
  readonly from: string | undefined;
  readonly plan: GenerationPlan;
}

// In order, so that a crash can happen after any of them.

/** Writes a complete generation, which is not visible yet, and returns when it is on disk. */
export async function writeFiles({ disk, target: root, from, plan }: FilesInput): Promise<void> {
  const texts = plan.files.filter(({ path }) => path === MEMORY_FILE || path === SUMMARY_FILE);
  const files = [
    ...plan.files,
    ...texts.map(({ path, content }) => ({ path: `${GENERATED_DIRECTORY}/${path}`, content })),
    { path: RECORD_FILE, content: renderRecord(plan.record) },
  ];
  await disk.makeDirectory(root);
  const directories = new Set([root]);
  const prepare = async (path: string): Promise<string> => {
    const target = join(root, ...path.split("/"));
    for (const directory of directoriesAbove(target, root)) {
      if (!directories.has(directory)) await disk.makeDirectory(directory);
      directories.add(directory);
    }
    return target;
  };
  await prepare(`${SKILLS_DIRECTORY}/any`);
  for (const { path, content } of files) await writeNewFile(disk, await prepare(path), content);
  for (const skill of from === undefined ? [] : plan.copiedSkills) {
    const parent = `${SKILLS_DIRECTORY}/${skill}`;
    for (const path of listFiles(join(from ?? "", parent))) {
      await copyFile(disk, join(from ?? "", parent, path), await prepare(`${parent}/${path}`));
    }
  }
  for (const directory of [...directories].toReversed()) await disk.syncDirectory(directory);
  await disk.syncDirectory(dirname(root));
}

/** Copies the bytes, and the executable bit that only the user can have set, but no other permission. */
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

/** From the top down. */
function directoriesAbove(target: string, root: string): readonly string[] {
  const above: string[] = [];
  for (let directory = dirname(target); directory !== root; directory = dirname(directory)) {
    above.unshift(directory);
  }
  return above;
}
