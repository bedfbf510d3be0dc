import { describe, expect, it } from "vitest";
import type { ImportedTopics } from "../../../src/node/topics/import-topics.ts";
import { storeHome, topic } from "./store-home.ts";

const author = { who: "person" } as const;

/** How many files became what. */
function kindsOf({ topics }: ImportedTopics): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const { kind } of topics) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
}

describe("an import of too much", () => {
  it("leaves a history that can be read, and takes the rest the next time", async () => {
    const home = await storeHome();
    // In a history, each of these characters takes six bytes.
    const bulk = "\u0001".repeat(200_000);
    const files = Array.from({ length: 20 }, (_, n) => ({ name: `f-${n}`, text: `${n} ${bulk}` }));
    const first = await home.open().importTopics({ files, author });
    expect(kindsOf(first)).toEqual({ imported: 13, refused: 7 });
    expect(JSON.stringify(first.topics.at(-1))).toContain("import again");
    const second = await home.open().importTopics({ files, author });
    expect(kindsOf(second)).toEqual({ exists: 13, imported: 7 });
    await home.open().undo({ author });
    expect((await home.open().list()).topics.length).toBe(13);
  });

  it("takes the topics, and no index that nobody could read again", async () => {
    const home = await storeHome();
    const index = "words\n".repeat(3_000_000);
    const wish = { files: [{ name: "a", text: "A.\n" }], index, author };
    expect((await home.open().importTopics(wish)).index).toMatchObject({ kind: "refused" });
    expect(await home.open().write(topic("b"))).toMatchObject({ kind: "written" });
    expect(await home.text("MEMORY.md")).toContain("(a.md)");
  });

  it("ends soon when all of it has one name", { timeout: 10_000 }, async () => {
    const home = await storeHome();
    const files = Array.from({ length: 2_000 }, (_, n) => ({ name: "a", text: `${n}` }));
    const wish = { files, isPreview: true, author };
    expect(kindsOf(await home.open().importTopics(wish))).toEqual({
      imported: 100,
      refused: 1_900,
    });
  });
});

describe("half a character", () => {
  it("refuses its file, because no file can hold it", async () => {
    const home = await storeHome();
    const files = [
      { name: "half", text: "a \uD800 b\n" },
      { name: "whole", text: "a 😀 b\n" },
    ];
    const result = await home.open().importTopics({ files, index: "\uDC00", author });
    expect(kindsOf(result)).toEqual({ refused: 1, imported: 1 });
    expect(result.index).toMatchObject({ kind: "refused" });
    expect(await home.open().recordExternalChanges()).toBe(0);
  });
});
