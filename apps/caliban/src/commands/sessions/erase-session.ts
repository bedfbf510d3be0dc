import { forgetSearch } from "@caliban/memory/node";
import { removeSession } from "@caliban/sessions/node";
import { checkpointsDirectory, removeCheckpoints } from "../../checkpoints/checkpoint-directory.ts";
import type { Host } from "../../host.ts";
import type { SessionsLocation } from "../../project/locations.ts";

type SessionId = Parameters<typeof removeSession>[1];

/**
 * Removes a conversation permanently, with its checkpoints and from search. Returns how many bytes the checkpoints had.
 * @throws SessionsError for a session that is gone or in use
 */
export async function eraseSession(
  host: Host,
  { directory, project }: Pick<SessionsLocation, "directory" | "project">,
  id: SessionId,
): Promise<number | undefined> {
  await removeSession(directory, id);
  const checkpointBytes = eraseCheckpoints(host, id);
  forgetSearch(host, project);
  return checkpointBytes;
}

/** Returns how many bytes they had; `undefined` if there are none. */
export function eraseCheckpoints(host: Host, id: SessionId): number | undefined {
  const directory = checkpointsDirectory(host);
  return directory === undefined ? undefined : removeCheckpoints(directory, id);
}
