import { userDirectories } from "@caliban/common";
import type { MemoryServer } from "@caliban/memory";
import type { Project } from "../../project/project.ts";
import type { Host } from "../../host.ts";
import { openServers } from "./open-servers.ts";
import { createRecordStore } from "../../../../../packages/mcp/src/node/client/record-store.ts";
import { memoryServer } from "../../../../../packages/mcp/src/client/server-status.ts";

/** The tier behind servers as it was last known. Nothing is started for it, and nobody is asked anything. */
export async function lastKnownTiers(
  host: Host,
  project: Project,
): Promise<readonly MemoryServer[]> {
  const store = createRecordStore(userDirectories(host).state, project.workspace.root);
  const { servers } = await openServers({ host, project });
  const rows = servers.map(async ({ server }) =>
    memoryServer({
      server,
      state: { kind: "idle" },
      known: await store.read(server),
      offeredTools: 0,
      change: "",
      nowMs: host.now(),
    }),
  );
  return (await Promise.all(rows)).flatMap((row) => row ?? []);
}
