// Takes a lock, reports that, and keeps it until its stdin says to continue or it is killed.
import { withLock } from "../../../src/node/lock/file-lock.ts";

const [path = "", timeoutMs = "40000"] = process.argv.slice(2);
await withLock(
  { path, timing: { timeoutMs: Number(timeoutMs), heartbeatMs: 50 } },
  async ({ assertHeld }) => {
    process.stdout.write("held\n");
    await new Promise((resolve) => process.stdin.once("data", resolve));
    await assertHeld();
  },
);
process.stdout.write("done\n");
process.stdin.destroy();
