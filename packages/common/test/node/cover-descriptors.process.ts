// Starts a process, and prints what it sees of a directory that this process was given as a descriptor.
import { spawnSync } from "node:child_process";
import { coverDescriptors } from "../../src/node/cover-descriptors.ts";

const [descriptor = "", way] = process.argv.slice(2);
const covered = way === "covered" ? coverDescriptors(3) : undefined;
const { stdout } = spawnSync("ls", [`/proc/self/fd/${descriptor}/`], {
  stdio: ["ignore", "pipe", "ignore", ...(covered?.stdio ?? [])],
});
covered?.release();
process.stdout.write(stdout);
