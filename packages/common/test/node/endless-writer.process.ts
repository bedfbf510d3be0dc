import { writeFileAtomic } from "../../src/node/write-file-atomic.ts";

// Writes two texts in turn until it is killed. Started by write-file-atomic.test.ts.
const path = process.argv[2] ?? "";
for (let round = 1; ; round++) {
  await writeFileAtomic(path, String(round % 2).repeat(200_000));
  if (round === 1) process.send?.("writing");
}
