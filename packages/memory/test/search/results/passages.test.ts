import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPassages } from "../../../src/search/results/passages.ts";
import type { FoundTurn } from "../../../src/search/engine/search-result.ts";

/** A turn of a session of ten turns, with the ids of its neighbors. */
function turn(session: string, place: number, score: number): FoundTurn {
  return {
    id: `${session}#${place}`,
    session,
    turn: place,
    updatedMs: place * 1000,
    score,
    previous: place === 0 ? undefined : `${session}#${place - 1}`,
    next: place === 9 ? undefined : `${session}#${place + 1}`,
  };
}

/** For example `2 (3) 4`: positions of turns, hits in parentheses. */
function shown(turns: readonly FoundTurn[], limit = 8): readonly string[] {
  return toPassages(turns, limit).map(({ session, turns: all }) => {
    const places = all.map(({ id, isHit }) => {
      const place = id.slice(id.indexOf("#") + 1);
      return isHit ? `(${place})` : place;
    });
    return `${session}: ${places.join(" ")}`;
  });
}

describe("toPassages", () => {
  it.for([
    ["none of none", [], []],
    ["one turn on each side", [["a", 3]], ["a: 2 (3) 4"]],
    [
      "at the beginning and the end",
      [
        ["a", 0],
        ["b", 9],
      ],
      ["a: (0) 1", "b: 8 (9)"],
    ],
    [
      "neighbours are one",
      [
        ["a", 4],
        ["a", 3],
      ],
      ["a: 2 (3) (4) 5"],
    ],
    [
      "with a turn between them",
      [
        ["a", 3],
        ["a", 5],
      ],
      ["a: 2 (3) 4 (5) 6"],
    ],
    [
      "where their neighbours touch",
      [
        ["a", 3],
        ["a", 6],
      ],
      ["a: 2 (3) 4 5 (6) 7"],
    ],
    [
      "not further apart",
      [
        ["a", 2],
        ["a", 6],
      ],
      ["a: 1 (2) 3", "a: 5 (6) 7"],
    ],
    [
      "a turn that joins two",
      [
        ["a", 1],
        ["b", 5],
        ["a", 7],
        ["a", 4],
      ],
      ["a: 0 (1) 2 3 (4) 5 6 (7) 8", "b: 4 (5) 6"],
    ],
    [
      "never of two sessions",
      [
        ["a", 3],
        ["b", 4],
      ],
      ["a: 2 (3) 4", "b: 3 (4) 5"],
    ],
  ] as const)("joins turns into passages: %s", ([, found, expected]) => {
    expect(shown(found.map(([session, place], rank) => turn(session, place, 9 - rank)))).toEqual(
      expected,
    );
  });

  it("joins turns by their neighbors' ids if positions are missing", () => {
    const one = { ...turn("a", 2, 2), next: "a#7" };
    const other = { ...turn("a", 9, 1), previous: "a#7" };
    expect(shown([one, other])).toEqual(["a: 1 (2) 7 (9)"]);
  });

  it("gives a passage the score and the time of its best turn and sorts by it", () => {
    const [first, second] = toPassages([turn("b", 5, 3), turn("a", 2, 2), turn("a", 1, 1)], 8);
    expect(first).toMatchObject({ session: "b", score: 3, updatedMs: 5000 });
    expect(second).toMatchObject({ session: "a", score: 2, updatedMs: 2000 });
  });

  it("returns at most the requested number of passages, the best ones", () => {
    const turns = [turn("a", 5, 3), turn("b", 2, 2), turn("c", 1, 1)];
    expect(shown(turns, 2)).toEqual(["a: 4 (5) 6", "b: 1 (2) 3"]);
    expect(shown(turns, 0)).toEqual([]);
  });

  it("contains every hit exactly once, in order, in passages that never touch", () => {
    const place = fc.tuple(fc.constantFrom("a", "b"), fc.nat(9));
    const drawn = fc.uniqueArray(place, { maxLength: 8, selector: ([s, at]) => `${s}${at}` });
    fc.assert(
      fc.property(drawn, (places) => {
        const turns = places.map(([session, at], rank) => turn(session, at, 9 - rank));
        const passages = toPassages(turns, 99);
        const ids = passages.flatMap((passage) => passage.turns);
        const hits = ids.filter(({ isHit }) => isHit).map(({ id }) => id);
        expect(hits.toSorted()).toEqual(turns.map(({ id }) => id).toSorted());
        expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
        for (const session of ["a", "b"]) {
          const ranges = passages
            .filter((passage) => passage.session === session)
            .map((passage) => passage.turns.map(({ id }) => Number(id.slice(2))));
          for (const range of ranges) {
            expect(range).toEqual(range.map((_, index) => (range[0] ?? 0) + index));
          }
          const ends = ranges.toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
          for (const [index, range] of ends.entries()) {
            const before = ends[index - 1]?.at(-1) ?? -9;
            expect((range[0] ?? 0) - before).toBeGreaterThan(1);
          }
        }
        expect(passages.map(({ score }) => score)).toEqual(
          passages.map(({ score }) => score).toSorted((one, other) => other - one),
        );
      }),
    );
  });
});
