import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type DiskCall, interceptedDisk } from "../intercepted-disk.ts";
import { storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

const OTHER = '{"host":"elsewhere","boot":"b","pid":1,"start":"1","token":"other"}\n';

// A process that was suspended until another host took over its lock finds the lock, a temporary file and the history in use.
it.for(["a.md.tmp", "MEMORY.md.tmp"])(
  "keeps a writer that lost its lock from changing files of the next one (%s)",
  async (temporary) => {
    const home = await storeHome();
    await home.open().write(topic("a", "Old."));
    const [lock, history] = [
      join(home.directory, ".lock"),
      join(home.historyDirectory, "changes.jsonl"),
    ];
    let theirs = "";
    const takeOver = ({ name, files }: DiskCall): void => {
      if (name !== "close" || files !== temporary) return;
      writeFileSync(lock, OTHER);
      writeFileSync(join(home.directory, temporary), "theirs");
      appendFileSync(history, '{"done":"theirs"}\n');
      theirs = readFileSync(history, "utf8");
    };
    const before = await home.text(temporary.slice(0, -".tmp".length));
    const change = { ...topic("a", "New."), description: "another line", replace: true };
    const writing = home.open({ disk: interceptedDisk({ after: takeOver }) }).write(change);
    await expect(writing).rejects.toMatchObject({ code: "STORE_BUSY" });
    expect(await home.text(temporary.slice(0, -".tmp".length))).toBe(before);
    expect(await home.text(temporary)).toBe("theirs");
    expect(await home.text(".lock")).toBe(OTHER);
    expect(readFileSync(history, "utf8")).toBe(theirs);
  },
);

it("keeps a writer that lost its lock from starting a change", async () => {
  const home = await storeHome();
  await home.open().write(topic("a", "Old."));
  const history = join(home.historyDirectory, "changes.jsonl");
  const before = readFileSync(history, "utf8");
  const takeOver = ({ name, files }: DiskCall): void => {
    if (name === "unlink" && files.startsWith(".lock."))
      writeFileSync(join(home.directory, ".lock"), OTHER);
  };
  const writing = home
    .open({ disk: interceptedDisk({ after: takeOver }) })
    .write({ ...topic("a", "New."), replace: true });
  await expect(writing).rejects.toMatchObject({ code: "STORE_BUSY" });
  expect(readFileSync(history, "utf8")).toBe(before);
});
