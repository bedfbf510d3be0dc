// Writes topics about the user from one project: shared ones by compare and swap, and its own ones.
import { openTopicStore } from "../../../src/node/open-topic-store.ts";
import { topic } from "./topic-input.ts";

const [home = "", workspace = "", count = ""] = process.argv.slice(2);
const { store } = await openTopicStore({ workspace, env: { HOME: home }, scope: "user" });
const successes: string[] = [];
for (let n = 0; n < Number(count); n++) {
  const [shared, own] = [`shared-${n % 5}`, `own-${workspace.split(/[\\/]/).at(-1)}-${n}`];
  const seen = await store.read(shared);
  const body = `${workspace} ${n}`;
  const result = await store.write({ ...topic(shared, body), ifMatch: seen?.hash });
  if (result.kind === "written") successes.push(shared);
  if ((await store.write(topic(own, body))).kind === "written") successes.push(own);
}
process.stdout.write(JSON.stringify(successes));
