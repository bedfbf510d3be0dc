import { renameSync, symlinkSync, unlinkSync } from "node:fs";

// Exchanges a directory for a link and back until it is killed. Not a test: load-memory.test.ts starts it.
const [directory = "", target = ""] = process.argv.slice(2);
for (let round = 0; ; round++) {
  renameSync(directory, `${directory}.x`);
  symlinkSync(target, directory);
  unlinkSync(directory);
  renameSync(`${directory}.x`, directory);
  if (round === 0) process.send?.("swapping");
}
