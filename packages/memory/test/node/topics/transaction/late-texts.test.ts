import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type DiskCall, interceptedDisk } from "../intercepted-disk.ts";
import { type StoreHome, storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

/** Every system call with FULL=1, otherwise every fifth. */
const STRIDE = process.env["FULL"] === "1" ? 1 : 5;
const THEIRS = "---\nname: known\ndescription: theirs\ntype: user\n---\n\nTheirs.\n";

async function withKnown(): Promise<StoreHome> {
  const home = await storeHome();
  await home.open().write(topic("known", "Old."));
  return home;
}

/** Replaces a topic like an agent that merges and tries again after a conflict. */
async function replaceKnown(store: ReturnType<StoreHome["open"]>): Promise<void> {
  for (;;) {
    const seen = await store.read("known");
    const { kind } = await store.write({ ...topic("known", "New."), ifMatch: seen?.hash });
    if (kind === "written") return;
  }
}

async function everythingIn(home: StoreHome): Promise<string> {
  const texts = (await home.names()).map((name) =>
    readFileSync(join(home.directory, name), "utf8"),
  );
  return JSON.stringify([texts, await home.open().log()]);
}

describe("a program that opens a file before a write and writes to it afterwards", () => {
  it.for(["w", "a", "r+"])("loses no text if it opens a topic with %s", async (flags) => {
    let opened = 0;
    for (let step = 0; ; step += STRIDE) {
      const home = await withKnown();
      const path = join(home.directory, "known.md");
      let descriptor: number | undefined;
      let isReached = false;
      const before = (call: DiskCall): void => {
        if (call.step !== step) return;
        isReached = true;
        if (existsSync(path)) descriptor = openSync(path, flags);
      };
      const store = home.open({ disk: interceptedDisk({ before }) });
      await replaceKnown(store);
      if (!isReached) break;
      if (descriptor === undefined) continue;
      opened += 1;
      writeSync(descriptor, THEIRS);
      closeSync(descriptor);
      await store.write(topic("other"));
      const isKept = (await everythingIn(home)).includes("Theirs.");
      expect({ step, isKept }).toEqual({ step, isKept: true });
      expect((await home.names()).filter((name) => !name.endsWith(".md"))).toEqual([]);
    }
    expect(opened).toBeGreaterThan(2);
  });

  it("can have its text back with undo", async () => {
    const home = await withKnown();
    const store = home.open();
    const descriptor = openSync(join(home.directory, "known.md"), "r+");
    await replaceKnown(store);
    writeSync(descriptor, THEIRS);
    closeSync(descriptor);
    await store.write(topic("other"));
    const changes = await store.log("known");
    const late = changes.find(({ files }) => files[0]?.before?.includes("Theirs.") === true);
    await store.undo({ id: late?.id, author: { who: "person" } });
    expect(await home.text("known.md")).toContain("Theirs.");
  });

  it("loses no line of the index", async () => {
    const home = await withKnown();
    const store = home.open();
    const descriptor = openSync(join(home.directory, "MEMORY.md"), "a");
    await store.write(topic("new"));
    writeSync(descriptor, "\nTheirs.\n");
    closeSync(descriptor);
    await store.write(topic("other"));
    const index = await home.text("MEMORY.md");
    expect(index).toContain("\nTheirs.\n");
    expect(index.match(/\]\((?:new|known|other)\.md\)/g)?.length).toBe(3);
  });

  it("loses no text even if this process writes nothing more", { timeout: 30_000 }, async () => {
    const home = await withKnown();
    const descriptor = openSync(join(home.directory, "known.md"), "a");
    await replaceKnown(home.open());
    writeSync(descriptor, "Theirs.\n");
    closeSync(descriptor);
    while ((await home.open().log("known")).length < 4) await delay(50);
    expect((await home.open().log("known")).map(({ who }) => who)).toEqual([
      "other",
      "other",
      "agent",
      "agent",
    ]);
    expect(await everythingIn(home)).toContain("Theirs.");
  });
});

describe("a program that truncates a file and writes the text afterwards", () => {
  it(
    "waits for a program that truncates a file first, so that its text is seen and kept",
    { timeout: 30_000 },
    async () => {
      const home = await withKnown();
      const path = join(home.directory, "known.md");
      const descriptor = openSync(path, "w");
      const writing = home
        .open({ saveMs: 250 })
        .write({ ...topic("known", "New."), replace: true });
      await delay(50);
      writeSync(descriptor, THEIRS);
      closeSync(descriptor);
      expect(await writing).toMatchObject({ kind: "written" });
      const [last, external] = await home.open().log("known");
      expect(last?.files[0]?.before).toBe(THEIRS);
      expect(external).toMatchObject({ who: "other", files: [{ after: THEIRS }] });
    },
  );

  it("delays no write to a topic that was saved earlier, or by this store", async () => {
    const home = await withKnown();
    // Long enough to fail the test if anything waits for it.
    const store = home.open({ saveMs: 3_600_000 });
    await store.write({ ...topic("known", "New."), replace: true });
    writeFileSync(join(home.directory, "theirs.md"), THEIRS);
    await store.write(topic("other"));
    expect((await store.read("known"))?.topic.body).toBe("New.");
  });
});
