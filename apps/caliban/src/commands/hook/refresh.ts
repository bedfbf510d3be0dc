import { basename } from "node:path";
import { recordUse } from "@caliban/memory/node";
import { notesStamp } from "../../agent-hooks/notes-stamp.ts";
import { removeOldSessions } from "../../agent-hooks/remove-old-sessions.ts";
import { endRefresh } from "../../agent-hooks/start-refresh.ts";
import { hookSessionsDirectory, hookStateDirectory } from "../../agent-hooks/state-directory.ts";
import { takeUses } from "../../agent-hooks/use-spool.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { autoMemoryOffReason } from "../../project/auto-memory-off.ts";
import { openProject, type Project } from "../../project/project.ts";
import { openProjectSearch } from "../../project/search.ts";

/** `caliban hook refresh`: stores the notes of a project, so that hooks find them without loading the index. */
export async function refreshNotes(invocation: Invocation): Promise<CommandResult> {
  const project = await openProject(invocation);
  const offBy = autoMemoryOffReason(project);
  if (offBy !== undefined)
    return { stdout: `auto-memory is turned off by ${offBy}\n`, exitCode: EXIT.done };
  const stateDirectory = hookStateDirectory(project.environment);
  try {
    const { locations } = await project.topics();
    // Before the notes are read: a change in the meantime makes them differ.
    const stamp = notesStamp(project, locations);
    const search = openProjectSearch({ project });
    await search.storeNotes(stamp);
    await search.settled();
    search.stop();
    if (stateDirectory !== undefined) {
      removeOldSessions(hookSessionsDirectory(stateDirectory), project.host.now());
      await countUses(project, stateDirectory, locations.projectHome);
    }
    return { stdout: "notes are up to date\n", exitCode: EXIT.done };
  } finally {
    if (stateDirectory !== undefined) endRefresh(stateDirectory, project);
  }
}

/** Counts what hooks have shown since the last time. */
async function countUses(
  { environment }: Pick<Project, "environment">,
  stateDirectory: string,
  projectHome: string | undefined,
): Promise<void> {
  if (projectHome === undefined) return;
  const project = basename(projectHome);
  const uses = takeUses(stateDirectory, project);
  if (uses.length === 0) return;
  await recordUse(
    { environment, project },
    uses.map(({ address, atMs }) => ({ address, atMs, kind: "shown" as const })),
  );
}
