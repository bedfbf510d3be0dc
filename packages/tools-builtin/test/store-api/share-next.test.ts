import { expect, it } from "vitest";
import { shareNext } from "../../src/store-api/history/share-next.ts";

it("gives each caller a run that began after its call, and never runs two at once", async () => {
  let value = 0;
  let running = 0;
  let runs = 0;
  const read = shareNext(async () => {
    expect(++running).toBe(1);
    runs += 1;
    const seen = value;
    await Promise.resolve();
    running -= 1;
    return seen;
  });
  const calls = Array.from({ length: 20 }, async () => {
    const changed = ++value;
    return [changed, await read()] as const;
  });
  for (const [changed, seen] of await Promise.all(calls))
    expect(seen).toBeGreaterThanOrEqual(changed);
  expect(runs).toBe(2);
});

it("runs again after a failure", async () => {
  let count = 0;
  const read = shareNext(async () => {
    if (++count === 1) throw new Error("busy");
    return count;
  });
  const [first, second] = await Promise.allSettled([read(), read()]);
  expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
  expect(await read()).toBe(3);
});
