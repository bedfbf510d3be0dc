import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import { listNames } from "@caliban/common/node";
import type { StoredNotes } from "@caliban/memory/node";
import { learnedDirectory, sessionsDirectory } from "../project/locations.ts";
import type { Project } from "../project/project.ts";

/** Every sync writes the summary of its team. Most users have none. */
function teamFiles(environment: Project["environment"]): readonly string[] {
  const { data } = userDirectories(environment);
  const directory = data && join(data, "team");
  if (directory === undefined || !existsSync(directory)) return [];
  return listNames(directory).map((id) => join(directory, id, "summary.json"));
}

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
          join(projectHome, "team.json"),
        ];
  const changed = [memoryDirectory, userMemoryDirectory, ...watched, ...teamFiles(environment)].map(
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
