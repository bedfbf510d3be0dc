import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ListedResource,
  PAGE_LENGTH,
  pageOf,
} from "../../../src/serve/resources/resource-list.ts";

const resource = (uri: string): ListedResource => ({
  uri,
  name: uri,
  description: "",
  mimeType: "text/markdown",
});

const ALL = ["memory://index", "memory://prefix", "memory://root"].map(resource);

const topics = (numbers: readonly number[]): readonly ListedResource[] =>
  numbers
    .map((number) => `memory://topics/t${String(number).padStart(4, "0")}`)
    .toSorted()
    .map(resource);

describe("the pages of the resource list", () => {
  it("lists every lasting resource once, whatever is added or removed between two pages", () => {
    const numbers = fc.integer({ min: 0, max: 20 }).map((number) => number * 30);
    fc.assert(
      fc.property(
        fc.uniqueArray(numbers, { maxLength: 20 }),
        fc.uniqueArray(numbers, { maxLength: 20 }),
        (removed, added) => {
          const first = Array.from({ length: 600 }, (_, index) => index);
          const staying = first.filter((number) => !removed.includes(number));
          const second = [...new Set([...staying, ...added.map((number) => number + 1_000)])];
          const lists = [first, second, second, second, second].map((list) =>
            ALL.concat(topics(list)),
          );
          const seen: string[] = [];
          let cursor: string | undefined;
          for (const list of lists) {
            const page = pageOf(list, cursor);
            expect(page.resources.length).toBeLessThanOrEqual(PAGE_LENGTH);
            seen.push(...page.resources.map(({ uri }) => uri));
            cursor = page.nextCursor;
            if (cursor === undefined) break;
          }
          expect(cursor).toBeUndefined();
          expect(new Set(seen).size).toBe(seen.length);
          const stayed = topics(staying).map(({ uri }) => uri);
          expect(stayed.filter((uri) => !seen.includes(uri))).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });

  it("refuses a cursor that the list did not return", () => {
    for (const cursor of ["", "x", "memory://index", Buffer.from("file:///etc").toString("base64")])
      expect(() => pageOf(ALL, cursor)).toThrow("invalid cursor");
  });
});
