// Moves a file aside and gives it its name back, over and over, as a write does that finds somebody else's text.
import { linkSync, renameSync, unlinkSync } from "node:fs";

const [path = "", rounds = ""] = process.argv.slice(2);
const aside = `${path}.old.tmp`;
for (let round = 0; round < Number(rounds); round++) {
  renameSync(path, aside);
  linkSync(aside, path);
  unlinkSync(aside);
  // For most of the time a file has its name.
  const until = performance.now() + (round % 7) / 50;
  while (performance.now() < until);
}
