// Moves a file aside and gives it its name back, as a write does that finds somebody else's text; or takes it away and
// makes it again, as others do. Over and over.
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";

const [path = "", deed = "", rounds = ""] = process.argv.slice(2);
const [aside, text] = [`${path}.old.tmp`, readFileSync(path)];
for (let round = 0; round < Number(rounds); round++) {
  if (deed === "aside") {
    renameSync(path, aside);
    linkSync(aside, path);
    unlinkSync(aside);
  } else {
    unlinkSync(path);
    writeFileSync(path, text);
  }
  // For most of the time a file has its name.
  const until = performance.now() + (round % 7) / 50;
  while (performance.now() < until);
}
