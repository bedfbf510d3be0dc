// Writes many topics: shared ones by compare and swap, and its own ones.
import { createFsTopicStore } from "../../../../src/node/topics/fs-topic-store.ts";
import { topic } from "../topic-input.ts";

const [directory = "", historyDirectory = "", writer = "", shared = "", own = ""] =
  process.argv.slice(2);
const store = createFsTopicStore({ directory, historyDirectory, findSecrets: async () => [] });
const successes: string[] = [];
for (let n = 0; n < Number(shared); n++) {
  const name = `shared-${(n * 7 + Number(writer) * 3) % 50}`;
  const body = `writer ${writer}, write ${n}`;
  const seen = await store.read(name);
  const result = await store.write({ ...topic(name, body), ifMatch: seen?.hash });
  if (result.kind === "written") successes.push(`${name}: ${body}`);
}
for (let n = 0; n < Number(own); n++) {
  const name = `own-${writer}-${n}`;
  const result = await store.write(topic(name, `writer ${writer}`));
  if (result.kind === "written") successes.push(`${name}: writer ${writer}`);
}
process.stdout.write(JSON.stringify(successes));
