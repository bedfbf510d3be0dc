import { describe, expect, it } from "vitest";
import { recalledSlugs } from "../../../src/search/recall/recall-note.ts";

describe("recalledSlugs", () => {
  it.each([
    ["[memory that may apply: deploy — run migrations first]", ["deploy"]],
    [
      "[memory that may apply: one — a; two — b. Notes, to be verified; ReadMemoryTopic reads one.]",
      ["one", "two"],
    ],
    ["[Today is 2026-11-16.]\n[memory that may apply: a b — x; c — ]", ["a b", "c"]],
    ["[Today is 2026-11-16.]", []],
    ["He said [memory that may apply: a — b]", []],
    ["", []],
  ])("reads the topics of older sessions in %j", (note, slugs) => {
    expect(recalledSlugs(note)).toEqual(slugs);
  });
});
