// Writes shared topics until it is killed.
import { createFsTopicStore } from "../../../src/node/topics/fs-topic-store.ts";
import { topic } from "./topic-input.ts";

const [directory = "", historyDirectory = ""] = process.argv.slice(2);
const store = createFsTopicStore({ directory, historyDirectory, findSecrets: async () => [] });
for (let n = 0; n < 1_000; n++) {
  const name = `shared-${n % 2}`;
  const seen = await store.read(name);
  await store
    .write({ ...topic(name, `Ours ${process.pid} ${n}.`), ifMatch: seen?.hash })
    .catch(() => undefined);
}
