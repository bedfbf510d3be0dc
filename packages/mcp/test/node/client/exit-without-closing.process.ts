// Starts a server and exits without closing anything.
import { createServerPool } from "../../../src/node/client/server-pool.ts";

const [server = "", directory = ""] = process.argv.slice(2);
const pool = createServerPool({
  version: "1",
  now: Date.now,
  onExit: (listener) => {
    process.on("exit", listener);
    return () => void process.off("exit", listener);
  },
  stateDirectory: directory,
  workspaceRoot: directory,
  report: () => undefined,
  announceChanges: true,
});
await pool.offer({
  servers: [{ server: JSON.parse(server), timeoutSeconds: 5 }],
  hasTiers: true,
});
await pool.start();
process.exit(0);
