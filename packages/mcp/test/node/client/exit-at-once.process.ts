// Starts a server and ends without closing anything.
import { createServerPool } from "../../../src/node/client/server-pool.ts";

const [server = "", directory = ""] = process.argv.slice(2);
const session = createServerPool({
  host: {
    now: Date.now,
    version: "1",
    onExit: (listener) => {
      process.on("exit", listener);
      return () => void process.off("exit", listener);
    },
  },
  stateHome: directory,
  workspaceRoot: directory,
  say: () => undefined,
  tellsChanges: true,
});
await session.take({
  servers: [{ server: JSON.parse(server), timeoutSeconds: 5 }],
  hasTiers: true,
});
await session.start();
process.exit(0);
