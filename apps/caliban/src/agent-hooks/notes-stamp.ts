import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { StoredNotes } from "@caliban/memory/node";
import { learnedDirectory, sessionsDirectory } from "../project/locations.ts";
import type { Project } from "../project/project.ts";

/**
 * What topics, sessions and settings look like, in a few looks at directories. It differs after every write of caliban.
 * What it cannot see, such as an edit in place or a longer session, is found by the next refresh.
 */
export function notesStamp(
  { host, settings, environment }: Pick<Project, "host" | "settings" | "environment">,
  { projectHome, memoryDirectory, userMemoryDirectory }: StoredNotes["locations"],
): string {
  const { values } = settings;
  const watched =
    projectHome === undefined
      ? []
      : [
          sessionsDirectory(projectHome),
          join(learnedDirectory(projectHome), "current"),
          join(projectHome, "forgotten.jsonl"),
        ];
  const changed = [memoryDirectory, userMemoryDirectory, ...watched].map(
    (path) => path && lstatSync(path, { throwIfNoEntry: false })?.mtimeMs,
  );
  return JSON.stringify([
    host.version,
    environment.platform,
    memoryDirectory,
    values["memory.user"],
    values["memories.enabled"],
    values["memories.sources"],
    ...changed,
  ]);
}
