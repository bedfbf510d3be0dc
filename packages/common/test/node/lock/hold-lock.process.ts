// Takes a lock, says so, and keeps it until it is told to go on or is ended.
import { withLock } from "../../../src/node/lock/file-lock.ts";

const [path = "", patienceMs = "40000"] = process.argv.slice(2);
await withLock(
  { path, timing: { timeoutMs: Number(patienceMs), heartbeatMs: 50 } },
  async ({ assertHeld }) => {
    process.stdout.write("held\n");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    await assertHeld();
  },
);
process.stdout.write("done\n");
process.stdin.destroy();
