import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createKeyedQueue } from "../../src/loop/keyed-queue.ts";

it("keeps the order of actions with the same key, even if some are slow or fail", async () => {
  const action = fc.record({
    key: fc.constantFrom("a", "b"),
    fails: fc.boolean(),
    ticks: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 6 }), async (actions) => {
      const queue = createKeyedQueue();
      const log: string[] = [];
      const results = actions.map(({ key, fails, ticks }, index) =>
        queue.run(key, async () => {
          log.push(`${key} starts ${index}`);
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
          log.push(`${key} ends ${index}`);
          if (fails) throw new Error("failed");
          return index;
        }),
      );
      const settled = await Promise.allSettled(results);
      expect(settled.map(({ status }) => status)).toEqual(
        actions.map(({ fails }) => (fails ? "rejected" : "fulfilled")),
      );
      for (const key of ["a", "b"]) {
        const expected = actions.flatMap((given, index) =>
          given.key === key ? [`${key} starts ${index}`, `${key} ends ${index}`] : [],
        );
        expect(log.filter((line) => line.startsWith(key))).toEqual(expected);
      }
    }),
  );
});

it("never lets a late action overtake one that is still running", async () => {
  const queue = createKeyedQueue();
  const log: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = queue.run("a", async () => log.push("first"));
  const second = queue.run("a", async () => {
    await promise;
    log.push("second");
  });
  await first;
  const third = queue.run("a", async () => log.push("third"));
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  resolve();
  await Promise.all([second, third]);
  expect(log).toEqual(["first", "second", "third"]);
});

it("never makes one key wait for another", async () => {
  const queue = createKeyedQueue();
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = queue.run("a", () => promise);
  expect(await queue.run("b", async () => "passed")).toBe("passed");
  resolve("done");
  expect(await waiting).toBe("done");
  expect(await queue.run("a", async () => "again")).toBe("again");
});
