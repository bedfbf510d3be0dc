import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { memoryPlaces } from "@caliban/memory";
import type { PipelineJob } from "./pipeline-job.ts";
import type { PipelinePlace } from "./pipeline-place.ts";

/** The directories that hold this project's memory, in full and as a shell has them below the home directory. */
export function memoryHomes(
  job: Pick<PipelineJob, "env" | "platform" | "home" | "memoryDirectory">,
  { project, directory: learned }: Pick<PipelinePlace, "project" | "directory">,
): readonly string[] {
  const { platform, home, memoryDirectory: directory } = job;
  const { autoDirectory: notes } = memoryPlaces({ ...job, slug: project, directory });
  const full = notes === undefined ? [learned] : [notes, learned];
  const short = full.map((path) => abbreviateHome(pathStyleOf(platform), path, home));
  return [...new Set([...full, ...short])];
}
