import { describe, expect, it } from "vitest";
import { MAX_ATTEMPTS } from "../../../src/store/pipeline-store.ts";
import {
  consolidate,
  DAY,
  extract,
  extracted,
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
  retryAtMs: NOW + 1_000,
} as const;

/** A store with unseen extractions of the given sessions. */
async function dirtyStore(ids: readonly string[] = ["a"]) {
  const store = await openStore();
  register(
    store,
    ids.map((id, index) => session(id, { mtimeMs: NOW - DAY - index })),
  );
  for (const id of ids) extract(store, `of ${id}`);
  return store;
}

describe("ConsolidationQueue: claims", () => {
  it("claims nothing when there is nothing new", async () => {
    const store = await dirtyStore();
    expect(claimConsolidation(store, NOW, "q")).toEqual({ kind: "clean" });
    consolidate(store);
    expect(claimConsolidation(store)).toEqual({ kind: "clean" });
  });

  it("gives a project to one worker until its lease expires", async () => {
    const store = await dirtyStore();
    const lost = mustConsolidate(store);
    expect(claimConsolidation(store, NOW + LEASE_MS - 1)).toEqual({ kind: "running" });
    expect(store.consolidations.heartbeat(lost, NOW + LEASE_MS - 1, LEASE_MS)).toBe(true);
    expect(claimConsolidation(store, NOW + LEASE_MS)).toEqual({ kind: "running" });
    const later = NOW + 2 * LEASE_MS;
    expect(store.consolidations.isHeld(lost, later - 2)).toBe(true);
    expect(store.consolidations.isHeld(lost, later)).toBe(false);
    const taken = mustConsolidate(store, later);
    expect(store.consolidations.heartbeat(lost, later, LEASE_MS)).toBe(false);
    expect(store.consolidations.isHeld(lost, later)).toBe(false);
    expect(store.consolidations.finish(lost, { kind: "done", seen: [] }, later)).toBe(false);
    expect(store.consolidations.isHeld(taken, later)).toBe(true);
  });

  it("waits until no session of the project is being read", async () => {
    const store = await dirtyStore();
    register(store, [session("b")]);
    register(store, [session("c")], "q");
    mustClaim(store, { project: "q" });
    const reading = mustClaim(store);
    expect(claimConsolidation(store)).toEqual({ kind: "extracting" });
    store.extractions.heartbeat(reading, NOW, 2 * LEASE_MS);
    expect(claimConsolidation(store, NOW + LEASE_MS)).toEqual({ kind: "extracting" });
    expect(claimConsolidation(store, NOW + 2 * LEASE_MS).kind).toBe("claimed");
  });

  it("loses the claim when the project is cleared", async () => {
    const store = await dirtyStore();
    const claimed = mustConsolidate(store);
    store.admin.clear("p", NOW);
    expect(store.consolidations.isHeld(claimed, NOW)).toBe(false);
    expect(store.consolidations.finish(claimed, { kind: "done", seen: [] }, NOW)).toBe(false);
    register(store, [session("b")]);
    extract(store, "new");
    const next = mustConsolidate(store);
    expect(next.epoch).toBe(claimed.epoch + 1);
    expect(store.consolidations.isHeld({ ...next, epoch: claimed.epoch }, NOW)).toBe(false);
  });
});

describe("ConsolidationQueue: extractions", () => {
  it("returns the newest extractions and all unseen ones", async () => {
    const store = await dirtyStore(["a", "b", "c", "d"]);
    const ids = (limit: number) =>
      store.consolidations.extractions("p", limit).map(({ threadId }) => threadId);
    expect(ids(1)).toEqual(["a", "b", "c", "d"]);
    consolidate(store);
    expect(ids(2)).toEqual(["a", "b"]);
    remove(store, "/s/d.jsonl", true);
    register(store, [session("c", { mtimeMs: NOW - 2 * DAY })]);
    extract(store, "of c again");
    expect(ids(1)).toEqual(["a", "d", "c"]);
  });

  it("marks seen extractions as not new, and deletes removed ones", async () => {
    const store = await dirtyStore(["a", "b"]);
    consolidate(store);
    expect(store.consolidations.extractions("p", 9)).toMatchObject([
      { threadId: "a", isNew: false },
      { threadId: "b", isNew: false },
    ]);
    remove(store, "/s/a.jsonl", true);
    consolidate(store);
    expect(store.consolidations.extractions("p", 9)).toMatchObject([{ threadId: "b" }]);
    expect(claimConsolidation(store).kind).toBe("clean");
  });

  it("keeps unseen extractions new, and the project dirty", async () => {
    const store = await dirtyStore(["a", "b"]);
    const claimed = mustConsolidate(store);
    const seen = store.consolidations.extractions("p", 9).slice(0, 1);
    expect(store.consolidations.finish(claimed, { kind: "done", seen }, NOW)).toBe(true);
    expect(store.consolidations.extractions("p", 9)).toMatchObject([
      { threadId: "a", isNew: false },
      { threadId: "b", isNew: true },
    ]);
    consolidate(store);
    expect(claimConsolidation(store).kind).toBe("clean");
  });

  it("keeps an extraction new that changed after it was seen", async () => {
    const store = await dirtyStore();
    const claimed = mustConsolidate(store);
    const seen = store.consolidations.extractions("p", 9);
    register(store, [session("a", { size: 2 })]);
    extract(store, "meanwhile");
    store.consolidations.finish(claimed, { kind: "done", seen }, NOW);
    expect(store.consolidations.extractions("p", 9)).toMatchObject([
      { rawMemory: "meanwhile", isNew: true },
    ]);
    expect(claimConsolidation(store).kind).toBe("claimed");
  });

  it("needs no second round for an extraction that arrived late but was seen", async () => {
    const store = await dirtyStore();
    const claimed = mustConsolidate(store);
    register(store, [session("b")]);
    extract(store, "late");
    const seen = store.consolidations.extractions("p", 9);
    store.consolidations.finish(claimed, { kind: "done", seen }, NOW);
    expect(claimConsolidation(store).kind).toBe("clean");
  });
});

describe("ConsolidationQueue: attempts", () => {
  it("gives up after the third failure until there is something new", async () => {
    const store = await dirtyStore();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const nowMs = NOW + attempt * 1_000;
      const retryAtMs = nowMs + 1_000;
      store.consolidations.finish(mustConsolidate(store, nowMs), { ...FAILED, retryAtMs }, nowMs);
      expect(claimConsolidation(store, nowMs)).toEqual(
        attempt < MAX_ATTEMPTS
          ? { kind: "waiting", retryAtMs, message: "no use" }
          : { kind: "given-up", message: "no use" },
      );
    }
    expect(claimConsolidation(store, NOW + DAY)).toEqual({ kind: "given-up", message: "no use" });
    expect(store.admin.stats(query({ nowMs: NOW + DAY })).consolidation).toMatchObject({
      status: "given-up",
      message: "no use",
    });
    register(store, [session("b")]);
    extract(store, "new");
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
      store.consolidations.finish(mustConsolidate(store), { ...FAILED, retryAtMs: NOW }, NOW);
    expect(claimConsolidation(store).kind).toBe("given-up");
  });

  it("never counts postponed and released attempts", async () => {
    const store = await dirtyStore();
    for (let count = 0; count < 5; count++) {
      const claimed = mustConsolidate(store, NOW + 1_000);
      expect(claimed.postponements).toBe(count);
      store.consolidations.finish(claimed, { ...FAILED, kind: "postponed" }, NOW);
      expect(claimConsolidation(store)).toMatchObject({ kind: "waiting", retryAtMs: NOW + 1_000 });
    }
    for (let count = 0; count < 5; count++)
      store.consolidations.finish(mustConsolidate(store, NOW + 1_000), { kind: "released" }, NOW);
    expect(claimConsolidation(store).kind).toBe("claimed");
  });

  it("never shortens a delay because of something new", async () => {
    const store = await dirtyStore();
    store.consolidations.finish(mustConsolidate(store), { ...FAILED, kind: "postponed" }, NOW);
    register(store, [session("b")]);
    extract(store, "new");
    expect(claimConsolidation(store).kind).toBe("waiting");
  });

  it("counts attempts of crashed processes", async () => {
    const store = await dirtyStore();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
      mustConsolidate(store, NOW + attempt * LEASE_MS);
    const nowMs = NOW + MAX_ATTEMPTS * LEASE_MS;
    const message = "the process crashed 3 times while updating the memory";
    expect(store.admin.stats(query({ nowMs })).consolidation).toMatchObject({
      status: "given-up",
      message,
    });
    expect(claimConsolidation(store, nowMs)).toEqual({ kind: "given-up", message });
    expect(store.admin.stats(query({ nowMs })).failures).toMatchObject([
      { threadId: undefined, errorClass: "crash", message },
    ]);
  });
});

describe("ConsolidationQueue: on request", () => {
  it("runs without anything new, and stays forced until it is done", async () => {
    const store = await dirtyStore();
    consolidate(store);
    store.admin.enqueue("p", NOW);
    const claimed = mustConsolidate(store);
    expect(claimed.isForced).toBe(true);
    store.consolidations.finish(claimed, { ...FAILED, retryAtMs: NOW }, NOW);
    expect(mustConsolidate(store).isForced).toBe(true);
  });

  it("ends the force when it is done", async () => {
    const store = await dirtyStore();
    store.admin.enqueue("p", NOW);
    consolidate(store);
    expect(claimConsolidation(store).kind).toBe("clean");
    register(store, [session("b")]);
    extract(store, "new");
    expect(mustConsolidate(store).isForced).toBe(false);
  });

  it("runs again when it was requested while it ran", async () => {
    const store = await dirtyStore();
    const claimed = mustConsolidate(store);
    store.admin.enqueue("p", NOW);
    expect(claimConsolidation(store).kind).toBe("running");
    const seen = store.consolidations.extractions("p", 9);
    store.consolidations.finish(claimed, { kind: "done", seen }, NOW);
    expect(mustConsolidate(store).isForced).toBe(true);
  });

  it("gets new attempts after it was given up, and no longer waits", async () => {
    const store = await dirtyStore();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
      store.consolidations.finish(mustConsolidate(store), { ...FAILED, retryAtMs: NOW }, NOW);
    store.admin.enqueue("p", NOW);
    store.consolidations.finish(mustConsolidate(store), FAILED, NOW);
    expect(claimConsolidation(store).kind).toBe("waiting");
    store.admin.enqueue("p", NOW);
    expect(claimConsolidation(store).kind).toBe("claimed");
  });
});

it("returns increasing watermarks, even across a clear", async () => {
  const store = await dirtyStore(["a", "b"]);
  const [a, b] = store.consolidations.extractions("p", 9);
  expect(b?.watermark).toBeGreaterThan(a?.watermark ?? 99);
  store.admin.clear("p", NOW);
  register(store, [session("c")]);
  store.extractions.finish(mustClaim(store), extracted("of c"), NOW);
  expect(store.consolidations.extractions("p", 9)[0]?.watermark).toBeGreaterThan(
    b?.watermark ?? 99,
  );
});
