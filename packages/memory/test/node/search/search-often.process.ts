// Writes its own topics, searches for them with a new cache each time, and reports wrong results.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createIndexCache } from "../../../src/node/search/index-cache.ts";
import { topicDirectorySource } from "../../../src/node/search/topic-directory.ts";

const [directory = "", file = "", writer = "", rounds = ""] = process.argv.slice(2);
const problems: string[] = [];
for (let round = 0; round < Number(rounds); round++) {
  const word = `writer${writer}round${round}`;
  // Enough for a snapshot in most rounds.
  for (let at = 0; at < 10; at++)
    writeFileSync(join(directory, `${writer}-${at}.md`), `${word} the oven\n`);
  const cache = createIndexCache({ file, sources: [topicDirectorySource(directory)] });
  const { index, notes } = await cache.refresh();
  const { topics } = index.search(word, { limit: 100 });
  const own = topics.filter(
    ({ id, coverage }) => id.startsWith(`topics:${writer}-`) && coverage === 1,
  );
  if (own.length !== 10) problems.push(`${word}: ${own.length} of 10`);
  problems.push(...notes);
  await cache.settled();
  process.stdout.write(`${round}\n`);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
