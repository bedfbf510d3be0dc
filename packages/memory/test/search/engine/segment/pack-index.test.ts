import { describe, expect, it } from "vitest";
import { createSearchIndex, type SearchIndex } from "../../../../src/search/engine/search-index.ts";
import {
  packArrays,
  unpackArrays,
  type FlatArray,
} from "../../../../src/search/engine/segment/array-bundle.ts";

const VERSION = 3;

function smallIndex(): SearchIndex {
  const index = createSearchIndex([
    { id: "a", name: "kite", body: "pond", type: "user", updatedMs: 5, vector: [1, 0] },
    { id: "b", body: "kite 記憶" },
    ...["c", "d", "e", "f"].map((id) => ({ id, body: `pond ${id}${id}` })),
  ]);
  index.add([{ id: "t", kind: "turn", session: "s", turn: 1, body: "kite" }]);
  index.remove(["b"]);
  return index;
}

const answer = (index: SearchIndex): unknown =>
  ["kite", "pond", "記憶"].map((query) => index.search(query));

function refusal(bytes: Uint8Array): string | undefined {
  const loaded = createSearchIndex().load(bytes);
  return loaded.kind === "refused" ? loaded.why : undefined;
}

describe("saved indexes", () => {
  it("gives the same results after it was saved and loaded", () => {
    const index = createSearchIndex([{ id: "other", body: "kite" }]);
    expect(index.load(smallIndex().save())).toEqual({ kind: "loaded" });
    expect(answer(index)).toEqual(answer(smallIndex()));
    expect(index.size()).toBe(6);
  });

  it("contains nothing of removed or replaced documents after it was saved", () => {
    const others = Array.from({ length: 40 }, (_, at) => ({ id: `o${at}`, body: `pond w${at}x` }));
    const turns = others.map(({ id, body }) => ({ id: `t${id}`, kind: "turn" as const, body }));
    const index = createSearchIndex([
      { id: "removedid", body: "removedword", type: "removedtype" },
      { id: "replaced", body: "replacedword" },
      { id: "said", kind: "turn", session: "removedsession", body: "saidword" },
      ...others,
      ...turns,
    ]);
    index.remove(["removedid", "said"]);
    index.add([{ id: "replaced", body: "pond" }]);
    const before = ["pond", "w7x", "saidword"].map((query) => index.search(query));
    const text = Buffer.from(index.save()).toString("latin1");
    for (const gone of ["removed", "replacedword", "said"]) expect(text).not.toContain(gone);
    expect(text).toContain("w7x");
    expect(["pond", "w7x", "saidword"].map((query) => index.search(query))).toEqual(before);
    expect(index.remove(["o7", "to7", "removedid"])).toBe(2);
  });

  it("saves and loads an empty index", () => {
    const index = createSearchIndex();
    expect(index.load(createSearchIndex().save())).toEqual({ kind: "loaded" });
    expect(index.size()).toBe(0);
  });

  it("loads from any position in a larger buffer", () => {
    const bytes = smallIndex().save();
    for (const offset of [1, 3, 4, 8]) {
      const around = Buffer.alloc(bytes.length + 16);
      around.set(bytes, offset);
      const index = createSearchIndex();
      expect(index.load(around.subarray(offset, offset + bytes.length)).kind).toBe("loaded");
      expect(answer(index)).toEqual(answer(smallIndex()));
    }
  });

  it("keeps the bytes unchanged when the loaded index changes", () => {
    const bytes = smallIndex().save();
    const before = bytes.slice();
    const index = createSearchIndex();
    index.load(bytes);
    index.remove(["a"]);
    index.add([{ id: "c", body: "kite" }]);
    expect(bytes).toEqual(before);
  });

  it("rejects a saved index with any byte changed, and keeps the current one", () => {
    const bytes = smallIndex().save();
    const index = createSearchIndex([{ id: "here", body: "kite" }]);
    const before = answer(index);
    const unseen: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const damaged = bytes.slice();
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        if (index.load(damaged).kind !== "refused") unseen.push(at);
      }
    }
    expect(unseen).toEqual([]);
    expect(answer(index)).toEqual(before);
  });

  it("rejects a truncated or extended index", () => {
    const bytes = smallIndex().save();
    const lengths = Array.from(bytes.keys());
    const unseen = lengths.filter((length) => refusal(bytes.subarray(0, length)) === undefined);
    expect(unseen).toEqual([]);
    expect(refusal(new Uint8Array([...bytes, 0, 0, 0, 0, 0, 0, 0, 0]))).toBeDefined();
  });

  it("says why a saved index is refused", () => {
    const bytes = smallIndex().save();
    const changed = (change: (words: DataView) => void): Uint8Array => {
      const copy = bytes.slice();
      change(new DataView(copy.buffer));
      return copy;
    };
    expect(refusal(new Uint8Array(0))).toBe("it is truncated");
    expect(refusal(new TextEncoder().encode("# no index, by far".padEnd(32)))).toMatch(
      /not an index/,
    );
    const swapped = changed((words) => words.setUint32(0, words.getUint32(0, true), false));
    expect(refusal(swapped)).toMatch(/another kind of machine/);
    expect(refusal(changed((words) => words.setUint32(4, 99, true)))).toMatch(/another version/);
    expect(refusal(changed((words) => words.setUint8(64, 7)))).toMatch(/checksum/);
  });
});

describe("inconsistent data with a valid checksum", () => {
  const arrays = unpackArrays(smallIndex().save(), VERSION);
  if (typeof arrays === "string") throw new Error(arrays);
  const parts: readonly FlatArray[] = arrays;

  it("accepts unchanged arrays", () => {
    expect(refusal(packArrays(parts, VERSION))).toBeUndefined();
  });

  it("never throws for inconsistent arrays, and can be searched if they are accepted", () => {
    for (const [at, part] of parts.entries()) {
      for (const other of variants(part)) {
        const index = createSearchIndex();
        const changed = parts.map((each, place) => (place === at ? other : each));
        index.load(packArrays(changed, VERSION));
        for (const query of ["kite", "pond", "the"])
          expect(index.search(query, { vector: [1, 0] }).topics.length).toBeLessThan(8);
        index.add([{ id: "more", body: "kite" }]);
        index.remove(["a", "t"]);
        index.save();
      }
    }
  });

  /** By their positions in a segment (see `toArrays`), after the sizes of the two collections. */
  it.for<readonly [what: string, at: number, change: (part: FlatArray) => FlatArray]>([
    ["texts end beyond their bytes", 2, (part) => part.with(0, 4_000)],
    ["texts end before they begin", 2, (part) => part.toReversed()],
    ["starts that go back", 9, (part) => part.with(1, 10_000)],
    ["starts that begin later", 9, (part) => part.with(0, 1)],
    ["a document that is not there", 10, (part) => part.with(0, 6)],
    ["a document far away", 10, (part) => Uint32Array.from(part).with(0, 4_000_000_000)],
    ["another type of array", 11, (part) => Float64Array.from(part)],
    ["lengths of fewer documents", 12, (part) => part.slice(1)],
    ["a kind that is none", 13, (part) => part.with(0, 5)],
    ["a type without a name", 15, (part) => part.with(0, 7)],
    ["a session without a name", 16, (part) => part.with(0, 7)],
    ["vectors of no width", 18, (part) => part.slice(1)],
    ["something half gone", 19, (part) => part.with(0, 2)],
    ["more collections", 0, () => Uint32Array.of(1, 1, 0)],
    ["another number of segments", 0, () => Uint32Array.of(5, 4_000_000_000)],
  ])("rejects an index with %s", ([, at, change]) => {
    const changed = parts.map((each, place) => (place === at ? change(each) : each));
    expect(refusal(packArrays(changed, VERSION))).toBe("its parts are inconsistent");
  });

  it("rejects an index with too many parts", () => {
    const empty = (length: number): readonly FlatArray[] =>
      Array.from({ length }, () => new Uint8Array(0));
    const many = packArrays(empty(30_000), VERSION);
    expect(refusal(many)).toBe("it has too many parts");
    // The header of an index with two million parts; the rest is not needed to reject it.
    new Uint32Array(many.buffer, 0, 3)[2] = 2_000_000;
    expect(refusal(many)).toBe("it has too many parts");
    expect(refusal(packArrays(empty(20_000), VERSION))).toBe("its parts are inconsistent");
  });

  it("rejects an index with missing or additional parts", () => {
    expect(refusal(packArrays(parts.slice(0, -1), VERSION))).toBeDefined();
    expect(refusal(packArrays([...parts, new Uint8Array(1)], VERSION))).toBeDefined();
    expect(refusal(packArrays([], VERSION))).toBeDefined();
  });
});

function variants(part: FlatArray): readonly FlatArray[] {
  const changed = (change: (copy: FlatArray) => void): FlatArray => {
    const copy = part.slice();
    change(copy);
    return copy;
  };
  return [
    part.slice(0, -1),
    part.slice(0, 0),
    part.toReversed(),
    changed((copy) => copy.fill(0)),
    changed((copy) => copy.fill(1)),
    changed((copy) => copy.fill(0xff_ff_ff_ff)),
    changed((copy) => copy.fill(Number.NaN)),
    new Float64Array(part.length),
    new Uint8Array(part.length),
  ];
}
