import { describe, expect, it } from "vitest";
import { MAX_ATTEMPTS } from "../../../src/store/pipeline-store.ts";
import {
  claim,
  consolidate,
  DAY,
  extract,
  LEASE_MS,
  mustClaim,
  mustConsolidate,
  NOW,
  openStore,
  query,
  register,
  remove,
  session,
  claimConsolidation,
} from "./store-fixture.ts";

const FAILED = {
  kind: "failed",
  errorClass: "permanent",
  message: "no use",
  retryAtMs: NOW + DAY,
} as const;

describe("StoreAdmin.clear", () => {
  it("forgets what was learned and excludes every session that was started", async () => {
    const store = await openStore();
    const ids = ["read", "empty", "failed", "begun", "untouched"];
    register(
      store,
      ids.map((id, index) => session(id, { mtimeMs: NOW - DAY - index })),
    );
    register(store, [session("other", { path: "/q/other" })], "q");
    extract(store, "learned");
    extract(store, "");
    store.extractions.finish(mustClaim(store), FAILED, NOW);
    mustClaim(store);
    extract(store, "other", { project: "q" });
    expect(store.admin.clear("p", NOW)).toBe(4);
    expect(store.consolidations.extractions("p", 9)).toEqual([]);
    expect(claimConsolidation(store).kind).toBe("clean");
    expect(store.extractions.count(query())).toMatchObject({ cleared: 4, due: 1 });
    expect(store.admin.stats(query()).failures).toEqual([]);
    expect(mustClaim(store).threadId).toBe("untouched");
    expect(claim(store)).toBeUndefined();
    expect(store.consolidations.extractions("q", 9)).toHaveLength(1);
  });

  it("keeps sessions excluded for changed files and better extractors, and adds up", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    extract(store, "learned");
    store.admin.clear("p", NOW);
    register(store, [session("a", { size: 2 }), session("b")]);
    extract(store, "of b", { extractor: { id: "y", replaces: ["x"] } });
    expect(claim(store, { extractor: { id: "y", replaces: ["x"] } })).toBeUndefined();
    expect(store.admin.clear("p", NOW)).toBe(2);
    expect(store.extractions.count(query())).toMatchObject({ cleared: 2, due: 0 });
  });

  it("excludes a session that was removed before and comes back", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    extract(store, "learned");
    remove(store, "/s/a.jsonl", true);
    expect(store.admin.clear("p", NOW)).toBe(1);
    register(store, [session("a")]);
    expect(claim(store)).toBeUndefined();
  });

  it("never refunds the budget", async () => {
    const store = await openStore();
    const id = store.ledger.begin({ project: "p", trigger: "now", nowMs: NOW });
    store.ledger.spend(id, { requests: 1, inputTokens: 5, outputTokens: 5 }, NOW);
    store.admin.clear("p", NOW);
    expect(store.ledger.spentTokens(NOW)).toBe(10);
    store.ledger.spend(id, { requests: 1, inputTokens: 5, outputTokens: 5 }, NOW);
    expect(store.ledger.spentTokens(NOW)).toBe(20);
  });
});

describe("StoreAdmin.retry", () => {
  it("grants new attempts to every job that failed, waits or crashed its processes", async () => {
    const store = await openStore();
    const ids = ["given-up", "waiting", "crashed"];
    register(
      store,
      ids.map((id, index) => session(id, { mtimeMs: NOW - DAY - index })),
    );
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
      store.extractions.finish(mustClaim(store), { ...FAILED, retryAtMs: NOW }, NOW);
    store.extractions.finish(mustClaim(store), FAILED, NOW);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
      mustClaim(store, { nowMs: NOW + attempt * LEASE_MS });
    const nowMs = NOW + MAX_ATTEMPTS * LEASE_MS;
    expect(store.extractions.count(query({ nowMs }))).toMatchObject({ failed: 2, waiting: 1 });
    store.admin.enqueue("p", NOW);
    store.consolidations.finish(mustConsolidate(store, nowMs), FAILED, nowMs);
    expect(store.admin.retry("p", nowMs)).toBe(4);
    expect(store.admin.stats(query({ nowMs }))).toMatchObject({
      failures: [],
      sessions: { due: 3 },
      consolidation: { status: "dirty" },
    });
    expect(store.admin.retry("p", nowMs)).toBe(0);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
      expect(mustClaim(store, { nowMs: nowMs + attempt * LEASE_MS }).threadId).toBe("given-up");
  });

  it("leaves running jobs and other projects alone", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    register(store, [session("b")], "q");
    const held = mustClaim(store);
    store.extractions.finish(mustClaim(store, { project: "q" }), FAILED, NOW);
    expect(store.admin.retry("p", NOW)).toBe(0);
    expect(store.extractions.heartbeat(held, NOW, LEASE_MS)).toBe(true);
    expect(store.extractions.count(query({ project: "q" })).waiting).toBe(1);
  });
});

it("expedites waiting sessions without new attempts, and leaves abandoned ones alone", async () => {
  const store = await openStore();
  register(store, [session("given-up"), session("waiting", { mtimeMs: NOW - 2 * DAY })]);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    store.extractions.finish(mustClaim(store), { ...FAILED, retryAtMs: NOW }, NOW);
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    store.extractions.finish(mustClaim(store), FAILED, NOW);
    expect(claim(store)).toBeUndefined();
    expect(store.admin.expedite("q", NOW)).toBe(0);
    expect(store.admin.expedite("p", NOW)).toBe(1);
  }
  store.extractions.finish(mustClaim(store), FAILED, NOW);
  expect(store.admin.expedite("p", NOW)).toBe(0);
  expect(store.extractions.count(query())).toMatchObject({ failed: 2, due: 0 });
});

it("lists every project with stored data", async () => {
  const store = await openStore();
  expect(store.admin.projects()).toEqual([]);
  register(store, [session("a")], "files");
  store.admin.enqueue("asked", NOW);
  store.ledger.begin({ project: "ran", trigger: "start", nowMs: NOW });
  expect(store.admin.projects()).toEqual(["asked", "files", "ran"]);
});

describe("StoreAdmin.stats", () => {
  it("returns empty statistics for an unknown project", async () => {
    const store = await openStore();
    const nothing = { requests: 0, inputTokens: 0, outputTokens: 0 };
    expect(store.admin.stats(query())).toMatchObject({
      runs: [],
      extractions: 0,
      unseenExtractions: 0,
      consolidation: { status: "never", lastDoneAtMs: undefined },
      failures: [],
      spentToday: nothing,
      spentInAll: nothing,
      spentTodayByAll: 0,
    });
  });

  it("follows the consolidation through its states", async () => {
    const store = await openStore();
    const status = (nowMs = NOW) => store.admin.stats(query({ nowMs })).consolidation;
    register(store, [session("a"), session("b")]);
    extract(store, "learned");
    expect(status()).toMatchObject({ status: "dirty", lastDoneAtMs: undefined });
    consolidate(store);
    expect(status()).toMatchObject({ status: "clean", lastDoneAtMs: NOW });
    extract(store, "more");
    expect(store.admin.stats(query())).toMatchObject({ extractions: 2, unseenExtractions: 1 });
    const claimed = mustConsolidate(store);
    expect(status().status).toBe("running");
    store.consolidations.finish(claimed, FAILED, NOW);
    expect(status()).toEqual({
      status: "waiting",
      lastDoneAtMs: NOW,
      retryAtMs: NOW + DAY,
      message: "no use",
    });
    expect(status(NOW + DAY).status).toBe("dirty");
  });

  it("lists the newest failure first", async () => {
    const store = await openStore();
    register(store, [session("a"), session("b", { mtimeMs: NOW - 2 * DAY })]);
    store.extractions.finish(mustClaim(store), FAILED, NOW);
    store.extractions.finish(mustClaim(store), FAILED, NOW + 1);
    expect(store.admin.stats(query()).failures.map(({ threadId }) => threadId)).toEqual(["b", "a"]);
  });
});
