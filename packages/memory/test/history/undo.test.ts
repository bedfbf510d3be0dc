import { describe, expect, it } from "vitest";
import type { Change } from "../../src/history/change.ts";
import { eraseTexts, undoableChanges } from "../../src/history/undo.ts";
import { parseTopicSlug } from "../../src/topics/slug.ts";

const CHANGE: Change = {
  id: "0a1b2c3d",
  at: "2026-11-16T00:00:00.000Z",
  who: "agent",
  session: "s-1",
  action: "write",
  files: [{ slug: parseTopicSlug("deploy"), before: null, after: "---\n\nText.\n" }],
};

/** A short notation: `w1` is a write, `u2<1` an undo of it, `w3!` an erased write. */
function historyOf(short: string): readonly Change[] {
  return [...short.matchAll(/([wu])(\d)(?:<(\d))?(!?)/g)].map(
    ([, kind, id = "", of, mark]): Change => ({
      id,
      at: CHANGE.at,
      who: "agent",
      action: kind === "w" ? "write" : "undo",
      files: CHANGE.files,
      of,
      isErased: mark === "!",
    }),
  );
}

describe("undoableChanges", () => {
  it.for([
    ["", undefined],
    ["w1", "1"],
    ["w1 w2", "2"],
    ["w1 w2 u3<2", "1"],
    ["w1 w2 u3<2 u4<1", undefined],
    ["w1 w2 u3<1", "2"],
    ["w1 u2<1 w3", "3"],
    ["w1 u2<1 u3<2", "1"],
    ["w1 w2 u3<2 u4<3", "2"],
    ["w1 w2 u3<2 u4<3 u5<2", "1"],
    ["w1 u2<1 u3<2 u4<3", undefined],
    // An erased change is never skipped silently.
    ["w1 w2!", "2"],
    ["w1! w2!", "2"],
    ["w1 u2<1!", undefined],
    ["u2<1", undefined],
  ] as const)("undoes, in the history %j, the change %j first", ([short, id]) => {
    expect(undoableChanges(historyOf(short))[0]?.id).toBe(id);
  });
});

describe("eraseTexts", () => {
  const slug = parseTopicSlug;
  const file = (name: string, before: string | null, after: string | null): Change["files"][0] => ({
    slug: slug(name),
    before,
    after,
  });
  const changes: readonly Change[] = [
    { ...CHANGE, id: "1", files: [file("a", null, "secret 1")] },
    { ...CHANGE, id: "2", files: [file("other", null, "mine")] },
    {
      ...CHANGE,
      id: "3",
      action: "rename",
      files: [
        file("b", null, "secret 2"),
        file("a", "secret 1", null),
        file("other", "mine", "mine too"),
      ],
    },
    { ...CHANGE, id: "4", files: [file("B", "secret 2", "secret 3")] },
    { ...CHANGE, id: "5", action: "remove", files: [file("b", "secret 3", null)] },
  ];

  it("erases the texts of a topic under all of its names, in any case", () => {
    const kept = eraseTexts(changes, slug("B"));
    expect(JSON.stringify(kept)).not.toContain("secret");
    expect(kept.map(({ isErased }) => isErased === true)).toEqual([true, false, true, true, true]);
    expect(kept[2]?.files[2]).toEqual(file("other", "mine", "mine too"));
    expect(kept[1]).toBe(changes[1]);
    expect(kept.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("keeps the texts of a later topic with the same name", () => {
    const reused = { ...CHANGE, id: "6", files: [file("a", null, "another topic")] };
    const kept = eraseTexts([...changes, reused], slug("b"));
    expect(kept.at(-1)).toBe(reused);
    expect(JSON.stringify(kept)).not.toContain("secret");
  });

  it("changes nothing in the history if the topic does not exist", () => {
    expect(eraseTexts(changes, slug("missing"))).toEqual(changes);
    expect(eraseTexts([], slug("a"))).toEqual([]);
  });
});
