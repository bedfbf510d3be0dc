import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IndexedNote } from "../../src/notes/note-index.ts";
import { supersededTopics } from "../../src/notes/supersession.ts";

function topic(slug: string, atMs: number, ...supersedes: readonly string[]): IndexedNote {
  const common = {
    number: 0,
    passage: 0,
    at: "",
    kind: "topic",
    strength: 1,
    amends: false,
    isGeneral: false,
  } as const;
  return { ...common, entry: `topics:${slug}`, atMs, own: [], near: [], supersedes };
}

describe("supersededTopics", () => {
  it("names the topic that replaces another, whatever their times are", () => {
    const found = supersededTopics([topic("new", 1, "old")]);
    expect(found.get("topics:old")?.entry).toBe("topics:new");
  });

  it("never replaces all topics of a circle, nor a topic by itself", () => {
    const slugs = ["a", "b", "c"];
    const one = fc.record({
      slug: fc.constantFrom(...slugs),
      atMs: fc.nat({ max: 2 }),
      supersedes: fc.array(fc.constantFrom(...slugs), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ slug }) => slug, minLength: 1 }), (all) => {
        const found = supersededTopics(
          all.map(({ slug, atMs, supersedes }) => topic(slug, atMs, ...supersedes)),
        );
        const left = all.filter(({ slug }) => !found.has(`topics:${slug}`));
        expect(left.length).toBeGreaterThan(0);
      }),
    );
  });
});
