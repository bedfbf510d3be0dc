// Takes over a lock from a dead process, and kills itself with SIGKILL before one of the calls that do so.
import { type Disk, nodeDisk } from "../../../src/node/disk.ts";
import { withLock } from "../../../src/node/lock/file-lock.ts";

const [path = "", killAt = ""] = process.argv.slice(2);
const disk: Disk = {
  ...nodeDisk,
  rename: async (from, to) => {
    if (killAt === "rename") process.kill(process.pid, "SIGKILL");
    await nodeDisk.rename(from, to);
    if (killAt === "after rename") process.kill(process.pid, "SIGKILL");
  },
};
await withLock({ path, disk }, async () => undefined);
process.stdout.write("survived");
