import { expect, it } from "vitest";
import { createFloodGuard } from "../../src/client/flood-guard.ts";

it("detects more than the allowed number of messages within an interval, and starts again after it", () => {
  let nowMs = 0;
  const isFlood = createFloodGuard({ max: 2, withinMs: 10, now: () => nowMs });
  expect([isFlood(), isFlood(), isFlood()]).toEqual([false, false, true]);
  nowMs = 10;
  expect([isFlood(), isFlood(), isFlood()]).toEqual([false, false, true]);
});
