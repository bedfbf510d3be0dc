import { join } from "node:path";
import { expect, it } from "vitest";
import { storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

const BODY = "A line of some length that fills the history.\n".repeat(5_000);

it("can undo the last change, however long it is", async () => {
  const home = await storeHome();
  const store = home.open();
  const body = `See [[hub]].\n${BODY}`;
  for (let n = 0; n < 30; n++) await store.write(topic(`t${n}`, body));
  await store.write(topic("hub"));
  await store.rename({ from: "hub", to: "centre", author: { who: "person" } });
  // As another process would.
  const { undone } = await home.open().undo({ author: { who: "person" } });
  expect(undone.action).toBe("rename");
  expect((await store.read("t7"))?.topic.body).toContain("[[hub]]");
});

it("restores no topic that was deleted by hand after a write without a done mark", async () => {
  const home = await storeHome();
  await home.open().write(topic("gone"));
  const { readFile, rm, writeFile } = await import("node:fs/promises");
  const path = join(home.historyDirectory, "changes.jsonl");
  const [change = ""] = (await readFile(path, "utf8")).split("\n");
  await writeFile(path, `${change}\n`);
  await rm(join(home.directory, "gone.md"));
  await home.open().write(topic("other"));
  expect(await home.names()).toEqual(["MEMORY.md", "other.md"]);
});
