import { describe, expect, it } from "vitest";
import { recalledSlugs } from "../../../src/search/recall/recall-note.ts";

describe("recalledSlugs", () => {
  it("finds the topics in a note of an older version, among other notes", () => {
    const note =
      "[memory that may apply: a b — one; c — two. Notes, to be verified; ReadMemoryTopic reads one.]";
    expect(recalledSlugs(`[Today is 2026-11-16.]\n${note}`)).toEqual(["a b", "c"]);
  });

  it.for([
    "[Today is 2026-11-16.]",
    "He said [memory that may apply: a — b]",
    "[memory that may apply: a — b",
    "",
  ])("finds none in %j", (text) => {
    expect(recalledSlugs(text)).toEqual([]);
  });
});
