import { userDirectories } from "@caliban/common";
import type { MemoryServer } from "@caliban/memory";
import type { Session } from "../../compose.ts";
import type { Host } from "../../host.ts";
import { openServers } from "../servers/open-servers.ts";
import { createKnownStore } from "./known-store.ts";
import { memoryServer } from "./server-state.ts";

/** The tier behind servers as it was last known. Nothing is started for it, and nobody is asked anything. */
export async function lastKnownTiers(
  host: Host,
  session: Session,
): Promise<readonly MemoryServer[]> {
  const store = createKnownStore(userDirectories(host).state, session.workspace.root);
  const { servers } = await openServers({ host, session });
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
