import type { SettingValues } from "@caliban/settings";
import type { ResolvedUrl } from "./memory-urls.ts";

/** Finds what `memory://root` and the addresses below it lead to; the path is the part behind `root/`. */
export type LearnedReader = (path: string) => Promise<ResolvedUrl>;

/** Where nothing is learned, nothing of what once was is read, and how to turn it on is said. */
export function createLearnedReader(
  values: Pick<SettingValues, "memories.enabled">,
  projectHome: string | undefined,
): LearnedReader {
  return async (path) => {
    if (!values["memories.enabled"]) return { problem: TURNED_OFF };
    if (projectHome === undefined) return { problem: NO_HOME };
    const { readLearnedArtifact } = await import("../../project/learned-memory.ts");
    return await readLearnedArtifact(projectHome, path);
  };
}

const TURNED_OFF =
  "memory://root: caliban does not learn from past sessions here; `caliban settings set memories.enabled true` turns it on.";
const NO_HOME = "memory://root: no home directory is known, so nothing was learned.";
