import { describe, expect, it } from "vitest";
import type { ImportedTopics } from "../../../src/store/imported-topics.ts";
import { storeHome } from "./store-home.ts";
import { topic } from "./topic-input.ts";

const author = { who: "person" } as const;

/** The number of files by result. */
function kindsOf({ topics }: ImportedTopics): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const { kind } of topics) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
}

describe("a large import", () => {
  it("keeps the history readable and imports the rest next time", async () => {
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

  it("imports the topics but not an index that would be too long to read", async () => {
    const home = await storeHome();
    const index = "words\n".repeat(3_000_000);
    const request = { files: [{ name: "a", text: "A.\n" }], index, author };
    expect((await home.open().importTopics(request)).index).toMatchObject({ kind: "refused" });
    expect(await home.open().write(topic("b"))).toMatchObject({ kind: "written" });
    expect(await home.text("MEMORY.md")).toContain("(a.md)");
  });

  it("stops trying names when all files have the same name", { timeout: 10_000 }, async () => {
    const home = await storeHome();
    const files = Array.from({ length: 2_000 }, (_, n) => ({ name: "a", text: `${n}` }));
    const request = { files, isPreview: true, author };
    expect(kindsOf(await home.open().importTopics(request))).toEqual({
      imported: 100,
      refused: 1_900,
    });
  });
});

describe("lone surrogates", () => {
  it("refuses a file with a lone surrogate, which cannot be saved", async () => {
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
