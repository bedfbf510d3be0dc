import { describe, expect, it } from "vitest";
import { createSearchIndex } from "../../../../src/search/engine/search-index.ts";
import { createTokenTable } from "../../../../src/search/engine/segment/token-table.ts";

const MAX_TOKENS = 500_000;
const MAX_PROBES = 64;

const unitsOf = (text: string): Uint16Array =>
  Uint16Array.from(text, (character) => character.charCodeAt(0));

/** Words whose hashes end alike, so that they share a slot in a table of any size. */
function meeting(count: number): readonly string[] {
  const words: string[] = [];
  for (let at = 0; words.length < count; at++) {
    const word = `${at.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "")}k`;
    if ((hashOf(word) & 0x1f_ff) === 0) words.push(word);
  }
  return words;
}

/** The hash of the table. With another one, the words would not collide, and the first test would fail. */
function hashOf(word: string): number {
  let hash = word.length;
  for (const unit of unitsOf(word)) hash = Math.imul(hash ^ unit, 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return hash ^ (hash >>> 13);
}

describe("createTokenTable", () => {
  it("gives up on crafted hash collisions, and an index still finds the tokens", () => {
    const words = meeting(MAX_PROBES + 20);
    const table = createTokenTable();
    const numbers = words.map((word) => {
      table.use(unitsOf(word));
      return table.find(0, word.length);
    });
    expect(numbers.slice(0, MAX_PROBES)).toEqual(Array.from({ length: MAX_PROBES }, (_, at) => at));
    expect(new Set(numbers.slice(MAX_PROBES))).toEqual(new Set([-1]));
    const index = createSearchIndex([{ id: "all", body: words.join(" ") }]);
    for (const word of words) expect(index.search(word).topics).toHaveLength(1);
  });

  it("stores a limited number of tokens and still finds those it has", () => {
    const table = createTokenTable();
    const units = new Uint16Array(2);
    table.use(units);
    const find = (at: number): number => {
      units.set([at >> 10, at & 0x3_ff]);
      return table.find(0, 2);
    };
    let kept = 0;
    for (let at = 0; at < MAX_TOKENS + 1_000; at++) if (find(at) !== -1) kept++;
    expect(kept).toBe(MAX_TOKENS);
    expect(find(7)).toBe(7);
    expect(find(MAX_TOKENS + 500)).toBe(-1);
  });
});
