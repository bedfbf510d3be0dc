import { INDEX_FILE } from "@caliban/memory";
import { openTopicStore } from "@caliban/memory/node";
import type { Session } from "../compose.ts";
import type { Host } from "../host.ts";

/**
 * Tells whether a file of the notes was changed by the store since a time, by this process or another one: everything
 * else that changes it is a hand edit.
 */
export function createOwnMemoryChange(
  { env, platform, home }: Host,
  { workspace, settings }: Session,
): (name: string, sinceMs: number) => Promise<boolean> {
  return async (name, sinceMs) => {
    const directory = settings.values["memory.directory"];
    const { store } = await openTopicStore({ env, platform, home, workspace, directory });
    const changes = (await store.log()).filter(({ at }) => Date.parse(at) >= sinceMs);
    // The index follows every change.
    if (name === INDEX_FILE) return changes.length > 0;
    return changes.some(({ files }) => files.some(({ slug }) => `${slug}.md` === name));
  };
}
