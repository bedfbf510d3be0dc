import { expect, it } from "vitest";
import { createCollection } from "../../../src/search/engine/collection.ts";

it("keeps the number of segments small when documents are added one by one", () => {
  const collection = createCollection();
  const counts = Array.from({ length: 300 }, (_, at) => {
    collection.add([{ id: `d${at}`, body: `word${at} shared` }]);
    return collection.view().parts.length;
  });
  // At most three of each size, and sizes go up by four.
  expect(Math.max(...counts)).toBeLessThanOrEqual(3 * 5);
  expect(collection.view().live).toBe(300);
});

it("merges a large segment only rarely when small ones are added", () => {
  const large = Array.from({ length: 256 }, (_, at) => ({ id: `d${at}`, body: "shared" }));
  const collection = createCollection();
  collection.add(large);
  const first = collection.view().parts[0]?.open;
  for (let at = 0; at < 20; at++) collection.add([{ id: `e${at}`, body: "shared" }]);
  expect(collection.view().parts[0]?.open).toBe(first);
});
