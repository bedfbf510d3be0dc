import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { CLAUDE_DIRECTORY, locateMemory } from "@caliban/memory";
import { openTopicStore } from "@caliban/memory/node";
import type { PipelineJob } from "./pipeline-job.ts";
import type { LearnedLocation } from "../project/locations.ts";

/** The directories that hold this project's memory, in full and as a shell has them below the home directory. */
export async function memoryHomes(
  job: Pick<PipelineJob, "env" | "platform" | "home" | "workspace" | "memoryDirectory">,
  { project, directory: learned }: Pick<LearnedLocation, "project" | "directory">,
): Promise<readonly string[]> {
  const { platform, home, memoryDirectory } = job;
  const directory =
    memoryDirectory === CLAUDE_DIRECTORY
      ? (await openTopicStore({ ...job, directory: memoryDirectory })).directory
      : memoryDirectory;
  const { memoryDirectory: notes } = locateMemory({ ...job, slug: project, directory });
  const full = notes === undefined ? [learned] : [notes, learned];
  const short = full.map((path) => abbreviateHome(pathStyleOf(platform), path, home));
  return [...new Set([...full, ...short])];
}
