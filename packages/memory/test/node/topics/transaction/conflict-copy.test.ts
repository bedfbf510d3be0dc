import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Disk, nodeDisk } from "@caliban/common/node";
import { describe, expect, it } from "vitest";
import { rollBackFile } from "../../../../src/node/topics/transaction/replace-file.ts";
import { storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

const NO_TEXT = Uint8Array.of(0x68, 0xff, 0xfe);

describe("an unreadable backup", () => {
  it("moves an unreadable backup back if its name is free", async () => {
    const home = await storeHome();
    await home.open().write(topic("other"));
    writeFileSync(join(home.directory, "known.md.old.tmp"), NO_TEXT);
    await home.open().write(topic("new"));
    expect(new Uint8Array(readFileSync(join(home.directory, "known.md")))).toEqual(NO_TEXT);
    expect(await home.names()).not.toContain("known.md.old.tmp");
  });

  it("keeps an unreadable backup as a listed copy if its name is taken", async () => {
    const home = await storeHome();
    await home.open().write(topic("known", "Old."));
    for (const name of ["known.kept.md", "known.kept-2.md"]) {
      writeFileSync(join(home.directory, "known.md.old.tmp"), NO_TEXT);
      const result = await home.open().write({ ...topic("known", "New."), replace: true });
      expect(result.kind).toBe("written");
      expect(new Uint8Array(readFileSync(join(home.directory, name)))).toEqual(NO_TEXT);
    }
    const { topics } = await home.open().list();
    const flawed = topics.filter(({ problems }) => problems.length > 0).map(({ slug }) => slug);
    expect(flawed.toSorted()).toEqual(["known.kept", "known.kept-2"]);
  });
});

describe("two other programs that write during a rollback", () => {
  /** One program changes the file before it is moved away, and another takes its name right after. */
  const between: Disk = {
    ...nodeDisk,
    rename: async (from, to) => {
      if (to !== `${from}.tmp`) return await nodeDisk.rename(from, to);
      writeFileSync(from, "One.\n");
      await nodeDisk.rename(from, to);
      writeFileSync(from, "Two.\n");
    },
  };

  it.for([
    ["known.md", /^known\.kept\.md$/],
    ["MEMORY.md", /^MEMORY\.md\..*\.kept\.tmp$/],
  ] as const)(
    "keeps the texts of two programs that write to %s during a rollback",
    async ([name, copyName]) => {
      const home = await storeHome({ [name]: "Ours.\n" });
      const path = join(home.directory, name);
      const replacement = { path, before: null, after: "Ours.\n" };
      expect(await rollBackFile(between, replacement)).toBe(false);
      expect(await home.text(name)).toBe("Two.\n");
      const kept = (await home.names()).find((other) => copyName.test(other)) ?? "";
      expect(await home.text(kept)).toBe("One.\n");
    },
  );
});
