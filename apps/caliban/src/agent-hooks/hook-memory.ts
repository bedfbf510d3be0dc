import type { PermissionPolicy } from "@caliban/agent-core";
import type { Forgotten } from "@caliban/memory/forgotten";
import { openStoredNotes, type StoredNotes } from "@caliban/memory/node";
import { loadPolicy } from "../conversation/access/policy.ts";
import { mayRecall, type Recalled } from "../conversation/notes/may-recall.ts";
import { autoMemoryOffReason, userMemoryOffReason } from "../project/auto-memory-off.ts";
import type { HookProject } from "./hook-project.ts";
import { isInDatabase } from "../project/is-in-database.ts";
import { teamSources } from "../project/team-sources.ts";
import { notesStamp } from "./notes-stamp.ts";

/** The memory of a project as hooks may show it. */
export interface HookMemory extends StoredNotes {
  readonly policy: PermissionPolicy;
  /** Whether notes for this are on, by the same rules as in a conversation of caliban. */
  readonly isOn: (about: Recalled) => boolean;
  /** Whether nothing seems to have changed since the notes were stored. */
  readonly isCurrent: boolean;
}

/**
 * Opens the memory of a project; `undefined` if auto-memory is off.
 * @throws UsageError, SettingsError or MemoryError for what would keep a conversation of caliban from starting
 */
export async function openHookMemory(project: HookProject): Promise<HookMemory | undefined> {
  if (autoMemoryOffReason(project) !== undefined) return undefined;
  const { environment, workspace, settings, topics } = project;
  const { policy } = await loadPolicy(project);
  let forgotten: Forgotten | undefined;
  const notes = await openStoredNotes({
    ...environment,
    workspace,
    directory: settings.values["memory.directory"],
    userTopics: userMemoryOffReason(project) === undefined,
    ...(isInDatabase(project) ? { store: async () => (await topics()).store } : {}),
    isForgotten: (statement) => forgotten?.isForgotten(statement) ?? false,
    sources: async (projectHome) => {
      const { openSearchSources } = await import("../project/search-sources.ts");
      const { openProjectForgotten } = await import("../project/forgotten.ts");
      forgotten = await openProjectForgotten(projectHome, { ...environment, workspace });
      const sources = [
        ...(await teamSources(project, projectHome)),
        ...openSearchSources({ project }, { projectHome, forgotten }),
      ];
      // A source knows the texts that it has listed.
      await Promise.all(sources.map((source) => source.list()));
      return sources;
    },
  });
  return {
    ...notes,
    policy,
    isOn: (about) => mayRecall({ project, policy }, about),
    isCurrent: notes.stored?.stamp === notesStamp(project, notes.locations),
  };
}
