import { expect, it } from "vitest";
import type { PipelineStore, RunEnd } from "../../../src/store/pipeline-store.ts";
import { DAY, NOW, openStore, query } from "./store-fixture.ts";

function run(store: PipelineStore, end: Partial<RunEnd> = {}, project = "p"): number {
  const id = store.ledger.begin({ project, trigger: "start", nowMs: NOW });
  store.ledger.end(id, {
    outcome: "done",
    sessionsRead: 0,
    sessionsFailed: 0,
    hasConsolidated: false,
    nowMs: NOW + 1,
    ...end,
  });
  return id;
}

const runs = (store: PipelineStore) => store.admin.stats(query()).runs;

it("adds up the cost of a day across all projects, and of a run", async () => {
  const store = await openStore();
  const first = store.ledger.begin({ project: "p", trigger: "start", nowMs: NOW });
  const second = store.ledger.begin({ project: "q", trigger: "now", nowMs: NOW });
  store.ledger.spend(first, { requests: 1, inputTokens: 100, outputTokens: 0 }, NOW - DAY);
  store.ledger.spend(first, { requests: 1, inputTokens: 10, outputTokens: 2 }, NOW);
  store.ledger.spend(first, { requests: 0, inputTokens: -4, outputTokens: 1 }, NOW);
  store.ledger.spend(second, { requests: 1, inputTokens: 20, outputTokens: 5 }, NOW);
  expect(store.ledger.spentTokens(NOW)).toBe(34);
  expect(store.ledger.spentTokens(NOW - DAY)).toBe(100);
  expect(store.ledger.spentTokens(NOW + DAY)).toBe(0);
  expect(store.admin.stats(query())).toMatchObject({
    spentToday: { requests: 1, inputTokens: 6, outputTokens: 3 },
    spentInAll: { requests: 2, inputTokens: 106, outputTokens: 3 },
    spentTodayByAll: 34,
    runs: [{ spent: { requests: 2, inputTokens: 106, outputTokens: 3 } }],
  });
});

it("records the cost of a run that was already deleted", async () => {
  const store = await openStore();
  store.ledger.spend(999_999, { requests: 1, inputTokens: 10, outputTokens: 2 }, NOW);
  expect(store.ledger.spentTokens(NOW)).toBe(12);
});

it("starts a day at midnight UTC", async () => {
  const store = await openStore();
  const id = store.ledger.begin({ project: "p", trigger: "start", nowMs: NOW });
  const midnight = Date.UTC(2026, 10, 17);
  store.ledger.spend(id, { requests: 1, inputTokens: 7, outputTokens: 0 }, midnight - 1);
  expect(store.ledger.spentTokens(midnight - 1)).toBe(7);
  expect(store.ledger.spentTokens(midnight)).toBe(0);
  // A correction after midnight does not increase the budget of the new day.
  store.ledger.spend(id, { requests: 0, inputTokens: -5, outputTokens: 0 }, midnight);
  expect(store.ledger.spentTokens(midnight)).toBe(0);
});

it("stores how a run ended, or that it has not", async () => {
  const store = await openStore();
  run(store, {
    outcome: "failed",
    reason: "no model",
    reasonCode: "NO_MODEL",
    sessionsRead: 3,
    sessionsFailed: 2,
    hasConsolidated: true,
  });
  store.ledger.begin({ project: "p", trigger: "now", nowMs: NOW + 5 });
  expect(runs(store)).toMatchObject([
    { trigger: "now", startedAtMs: NOW + 5, finishedAtMs: undefined, outcome: undefined },
    {
      trigger: "start",
      startedAtMs: NOW,
      finishedAtMs: NOW + 1,
      outcome: "failed",
      reason: "no model",
      reasonCode: "NO_MODEL",
      sessionsRead: 3,
      sessionsFailed: 2,
      hasConsolidated: true,
    },
  ]);
});

it("merges consecutive equal runs that did nothing", async () => {
  const store = await openStore();
  run(store);
  run(store);
  run(store, { outcome: "nothing-new" });
  run(store, { outcome: "skipped", reason: "over budget" }, "q");
  run(store, { outcome: "nothing-new", nowMs: NOW + 9 });
  run(store, { outcome: "skipped", reason: "no model" });
  run(store, { outcome: "skipped", reason: "over budget" });
  run(store, { outcome: "skipped", reason: "over budget" });
  expect(runs(store).map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ["skipped", "over budget"],
    ["skipped", "no model"],
    ["nothing-new", undefined],
    ["done", undefined],
    ["done", undefined],
  ]);
  expect(runs(store)[2]?.finishedAtMs).toBe(NOW + 9);
});

it("keeps 200 runs of a project, and the total cost", async () => {
  const store = await openStore();
  const first = run(store, {}, "q");
  for (let count = 0; count < 205; count++) {
    const id = run(store, { sessionsRead: count });
    store.ledger.spend(id, { requests: 1, inputTokens: 1, outputTokens: 0 }, NOW);
  }
  expect(runs(store)).toHaveLength(200);
  expect(runs(store)[0]?.sessionsRead).toBe(204);
  expect(store.admin.stats(query()).spentInAll.requests).toBe(205);
  expect(store.admin.stats(query({ project: "q" })).runs).toHaveLength(1);
  expect(first).toBe(1);
});
