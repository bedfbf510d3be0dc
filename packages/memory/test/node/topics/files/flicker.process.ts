// Moves a file to its backup and back, as a write does after an external change; or removes and recreates it, as other
// programs do. Again and again.
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";

const [path = "", action = "", rounds = ""] = process.argv.slice(2);
const [backup, text] = [`${path}.old.tmp`, readFileSync(path)];
for (let round = 0; round < Number(rounds); round++) {
  if (action === "backup") {
    renameSync(path, backup);
    linkSync(backup, path);
    unlinkSync(backup);
  } else {
    unlinkSync(path);
    writeFileSync(path, text);
  }
  // Most of the time, the file has its name.
  const until = performance.now() + (round % 7) / 50;
  while (performance.now() < until);
}
