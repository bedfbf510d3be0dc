import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createKeyedQueue } from "../../src/loop/keyed-queue.ts";

it("keeps the order of each key, whoever takes long or fails", async () => {
  const action = fc.record({
    key: fc.constantFrom("a", "b"),
    fails: fc.boolean(),
    ticks: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 6 }), async (actions) => {
      const turns = createKeyedQueue();
      const log: string[] = [];
      const results = actions.map(({ key, fails, ticks }, index) =>
        turns.run(key, async () => {
          log.push(`${key} begins ${index}`);
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
          given.key === key ? [`${key} begins ${index}`, `${key} ends ${index}`] : [],
        );
        expect(log.filter((line) => line.startsWith(key))).toEqual(expected);
      }
    }),
  );
});

it("lets nobody pass who comes when the first has ended and the second is at work", async () => {
  const turns = createKeyedQueue();
  const log: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = turns.run("a", async () => log.push("first"));
  const second = turns.run("a", async () => {
    await promise;
    log.push("second");
  });
  await first;
  const third = turns.run("a", async () => log.push("third"));
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  resolve();
  await Promise.all([second, third]);
  expect(log).toEqual(["first", "second", "third"]);
});

it("lets one key pass while another waits", async () => {
  const turns = createKeyedQueue();
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = turns.run("a", () => promise);
  expect(await turns.run("b", async () => "passed")).toBe("passed");
  resolve("done");
  expect(await waiting).toBe("done");
  expect(await turns.run("a", async () => "again")).toBe("again");
});
