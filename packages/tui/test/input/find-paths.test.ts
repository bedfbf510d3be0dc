import { describe, expect, it } from "vitest";
import { findPaths, indexPaths } from "../../src/input/find-paths.ts";

const MANY = Array.from({ length: 100_000 }, (_, at) => `src/part-${at % 97}/file-${at}.ts`);
const isStale = (): boolean => false;

describe("findPaths", () => {
  it("prefers names that start with what was typed, then shorter paths", async () => {
    const index = await indexPaths(["a/domain.ts", "b/main.ts", "lib/main/x.ts", "b/my-alien.ts"]);
    expect(await findPaths({ index, typed: "main", limit: 9, isStale })).toEqual([
      "lib/main/",
      "b/main.ts",
      "a/domain.ts",
      "lib/main/x.ts",
      "b/my-alien.ts",
    ]);
    expect(await findPaths({ index, typed: "dmts", limit: 9, isStale })).toEqual(["a/domain.ts"]);
  });

  it("lets keys be handled while it searches 100,000 files", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const index = await indexPaths(MANY);
    const turnsToIndex = turns;
    const found = await findPaths({ index, typed: "file-99999", limit: 20, isStale });
    clearInterval(timer);
    expect(found).toEqual(["src/part-89/file-99999.ts"]);
    expect(turnsToIndex).toBeGreaterThan(5);
    expect(turns - turnsToIndex).toBeGreaterThan(5);
  });

  it("stops when a later key made the search pointless", async () => {
    const index = await indexPaths(MANY);
    let checks = 0;
    const stale = (): boolean => ++checks > 2;
    await findPaths({ index, typed: "file", limit: 20, isStale: stale });
    expect(checks).toBe(3);
  });
});
