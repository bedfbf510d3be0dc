import { describe, expect, it } from "vitest";
import {
  type DueCounts,
  type DueQuery,
  type ExtractionOutcome,
  MAX_ATTEMPTS,
  type PipelineStore,
} from "../../../src/store/pipeline-store.ts";
import {
  claim,
  consolidate,
  databasePath,
  DAY,
  extract,
  extracted,
  HOUR,
  lease,
  LEASE_MS,
  mustClaim,
  NOW,
  openStore,
  query,
  register,
  session,
  claimConsolidation,
} from "./store-fixture.ts";

const NOTHING: DueCounts = {
  due: 0,
  upToDate: 0,
  tooRecent: 0,
  tooOld: 0,
  optedOut: 0,
  cleared: 0,
  running: 0,
  waiting: 0,
  failed: 0,
};

describe("ExtractionQueue: due sessions", () => {
  const IDLE_MS = 12 * HOUR;
  const cases: readonly (readonly [string, number, Partial<DueQuery>, keyof DueCounts])[] = [
    ["that was active a day ago", NOW - DAY, {}, "due"],
    ["that was idle for exactly long enough", NOW - IDLE_MS, {}, "due"],
    ["that was active a moment too recently", NOW - IDLE_MS + 1, {}, "tooRecent"],
    ["that just has the maximum age", NOW - 30 * DAY + 1, {}, "due"],
    ["that is barely too old", NOW - 30 * DAY, {}, "tooOld"],
    ["from the future", NOW + 99 * DAY, {}, "tooRecent"],
    ["from the future when nothing is too recent", NOW + 99 * DAY, { idleSinceMs: NOW }, "due"],
    ["in progress", NOW - DAY, { running: ["z", "a"] }, "tooRecent"],
  ];
  it.each(cases)(
    "counts and claims consistently a session %s",
    async (_, mtimeMs, changes, state) => {
      const store = await openStore();
      register(store, [session("a", { mtimeMs })]);
      expect(store.extractions.count(query(changes))).toEqual({ ...NOTHING, [state]: 1 });
      expect(claim(store, changes)?.threadId).toBe(state === "due" ? "a" : undefined);
    },
  );

  it("claims nothing from other projects, other sources, or files that are not sessions", async () => {
    const store = await openStore();
    register(store, [session("q")], "q");
    register(store, [session("c")], "p", "claude");
    register(store, [
      session("o", { kind: "opted-out" }),
      session("x", { kind: "other-project", threadId: undefined }),
      session("u", { kind: "unreadable", threadId: undefined }),
    ]);
    expect(claim(store)).toBeUndefined();
    expect(store.extractions.count(query())).toEqual({ ...NOTHING, optedOut: 1 });
    expect(mustClaim(store, { sources: ["codex", "claude"] })).toMatchObject({
      threadId: "c",
      source: "claude",
    });
  });

  it("claims the most recent session first, and each only once", async () => {
    const store = await openStore();
    const ids = ["b", "d", "a", "c"];
    register(
      store,
      ids.map((id, index) => session(id, { mtimeMs: NOW - DAY - index })),
    );
    expect(ids.map(() => mustClaim(store).threadId)).toEqual(ids);
    expect(claim(store)).toBeUndefined();
    expect(store.extractions.count(query())).toEqual({ ...NOTHING, running: 4 });
  });
});

describe("ExtractionQueue: finished sessions", () => {
  it("never reads a session again, with or without an extraction", async () => {
    const store = await openStore();
    register(store, [session("a"), session("b")]);
    extract(store, "learned");
    extract(store, "");
    expect(claim(store)).toBeUndefined();
    expect(store.extractions.count(query())).toEqual({ ...NOTHING, upToDate: 2 });
    expect(store.consolidations.extractions("p", 9)).toHaveLength(1);
  });

  it.each([{ mtimeMs: NOW - DAY + 1 }, { size: 2 }])(
    "makes a session due again with %o",
    async (change) => {
      const store = await openStore();
      register(store, [session("a")]);
      extract(store, "learned");
      register(store, [session("a", change)]);
      const again = mustClaim(store);
      expect(again.doneContentHash).toBe("h");
      expect(store.extractions.finish(again, { kind: "unchanged", contentHash: "h" }, NOW)).toBe(
        true,
      );
      expect(claim(store)).toBeUndefined();
    },
  );

  it("makes a session due again only for an extractor that replaces the previous one", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    extract(store, "learned");
    expect(claim(store, { extractor: { id: "y", replaces: ["z"] } })).toBeUndefined();
    const better = { extractor: { id: "y", replaces: ["w", "x"] } };
    expect(mustClaim(store, better).doneContentHash).toBeUndefined();
  });

  it("ignores an extractor that claims to replace itself", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    extract(store, "learned");
    expect(claim(store, { extractor: { id: "x", replaces: ["x"] } })).toBeUndefined();
  });

  it("never lets an inferior extractor read a session that was only touched", async () => {
    const store = await openStore();
    const better = { extractor: { id: "y", replaces: ["x"] } };
    register(store, [session("a")]);
    const first = mustClaim(store, better);
    store.extractions.finish(first, { ...extracted("y"), extractorId: "y" }, NOW);
    register(store, [session("a", { size: 2 })]);
    const lesser = mustClaim(store);
    expect(lesser.doneContentHash).toBe("h");
    store.extractions.finish(lesser, { kind: "unchanged", contentHash: "h" }, NOW);
    // The extractor that did it is still known.
    expect(claim(store, better)).toBeUndefined();
  });

  it("marks the project dirty only when an extraction appears or disappears", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    extract(store, " \n");
    expect(claimConsolidation(store).kind).toBe("clean");
    register(store, [session("a", { size: 2 })]);
    extract(store, "learned");
    consolidate(store);
    expect(claimConsolidation(store).kind).toBe("clean");
    register(store, [session("a", { size: 3 })]);
    extract(store, "");
    expect(store.consolidations.extractions("p", 9)).toMatchObject([
      { rawMemory: "learned", isNew: true, isRemoved: true },
    ]);
    consolidate(store);
    expect(store.consolidations.extractions("p", 9)).toEqual([]);
    expect(claim(store)).toBeUndefined();
  });

  it("stores every part of an extraction, with the date of the session but never a future one", async () => {
    const store = await openStore();
    register(store, [session("a", { mtimeMs: NOW + DAY })]);
    const claimed = mustClaim(store, { idleSinceMs: NOW });
    const extraction = { rolloutSummary: "s", rolloutSlug: "slug", rawMemory: "m" };
    const outcome = { kind: "extracted", contentHash: "h", extractorId: "x", extraction } as const;
    store.extractions.finish(claimed, outcome, NOW);
    expect(store.consolidations.extractions("p", 9)).toEqual([
      {
        ...extraction,
        threadId: "a",
        updatedAtMs: NOW,
        isNew: true,
        isRemoved: false,
        watermark: 1,
      },
    ]);
  });
});

const FAILED = {
  kind: "failed",
  errorClass: "permanent",
  message: "no use",
  retryAtMs: NOW + 1_000,
} as const;
const POSTPONED = { ...FAILED, kind: "postponed", errorClass: "transient" } as const;

describe("ExtractionQueue: attempts", () => {
  it("gives up after the third failure, each after its delay", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    let nowMs = NOW;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const claimed = mustClaim(store, { nowMs });
      store.extractions.finish(claimed, { ...FAILED, retryAtMs: nowMs + 1_000 }, nowMs);
      expect(claim(store, { nowMs: nowMs + 999 })).toBeUndefined();
      nowMs += 1_000;
    }
    expect(claim(store, { nowMs: nowMs + DAY })).toBeUndefined();
    expect(store.extractions.count(query({ nowMs }))).toEqual({ ...NOTHING, failed: 1 });
    expect(store.admin.stats(query()).failures).toEqual([
      {
        threadId: "a",
        errorClass: "permanent",
        message: "no use",
        attempts: 3,
        retryAtMs: undefined,
      },
    ]);
  });

  it.each([
    ["the file changed", { size: 2 }, {}],
    ["a better extractor came", {}, { extractor: { id: "y", replaces: ["x"] } }],
  ])("grants new attempts when %s", async (_, change, asked) => {
    const store = await openStore();
    register(store, [session("a")]);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
      store.extractions.finish(mustClaim(store), { ...FAILED, retryAtMs: NOW }, NOW);
    expect(claim(store)).toBeUndefined();
    register(store, [session("a", change)]);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
      store.extractions.finish(mustClaim(store, asked), { ...FAILED, retryAtMs: NOW }, NOW);
    expect(claim(store, asked)).toBeUndefined();
  });

  it("never counts postponed attempts, but counts postponements until one succeeds", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    const later = { nowMs: NOW + 1_000 };
    for (let count = 0; count < 5; count++) {
      const claimed = mustClaim(store, later);
      expect(claimed.postponements).toBe(count);
      store.extractions.finish(claimed, POSTPONED, NOW);
      expect(claim(store)).toBeUndefined();
      expect(store.extractions.count(query())).toEqual({ ...NOTHING, waiting: 1 });
    }
    expect(store.admin.stats(query()).failures).toMatchObject([
      { attempts: 0, retryAtMs: NOW + 1_000, errorClass: "transient" },
    ]);
    store.extractions.finish(mustClaim(store, later), extracted("learned"), NOW);
    register(store, [session("a", { size: 2 })]);
    expect(mustClaim(store).postponements).toBe(0);
  });

  it("never counts released attempts, and any worker may continue at once", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    for (let count = 0; count < 5; count++)
      store.extractions.finish(mustClaim(store), { kind: "released" }, NOW);
    expect(store.extractions.count(query())).toEqual({ ...NOTHING, due: 1 });
  });

  it("counts attempts of crashed processes, and gives up after the third", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    let nowMs = NOW;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      mustClaim(store, { nowMs });
      expect(claim(store, { nowMs: nowMs + LEASE_MS - 1 })).toBeUndefined();
      nowMs += LEASE_MS;
    }
    const failure = {
      threadId: "a",
      errorClass: "crash",
      message: "the process crashed 3 times while reading this session",
      attempts: 3,
      retryAtMs: undefined,
    };
    // Even in statistics before the next claim.
    expect(store.admin.stats(query({ nowMs })).failures).toEqual([failure]);
    expect(store.extractions.count(query({ nowMs }))).toEqual({ ...NOTHING, failed: 1 });
    expect(claim(store, { nowMs })).toBeUndefined();
    expect(store.admin.stats(query({ nowMs })).failures).toEqual([failure]);
  });

  it("never lets a crashing session block the next one", async () => {
    const store = await openStore();
    register(store, [session("a"), session("b", { mtimeMs: NOW - 2 * DAY })]);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
      expect(mustClaim(store, { nowMs: NOW + attempt * LEASE_MS }).threadId).toBe("a");
    expect(mustClaim(store, { nowMs: NOW + MAX_ATTEMPTS * LEASE_MS }).threadId).toBe("b");
  });
});

describe("ExtractionQueue: attempt filter", () => {
  type Begin = (store: PipelineStore) => void;
  const end =
    (outcome: ExtractionOutcome): Begin =>
    (store) =>
      store.extractions.finish(mustClaim(store), outcome, NOW);
  const cases: readonly (readonly [string, Begin, "tried" | "untried"])[] = [
    ["was never started", () => {}, "untried"],
    ["crashed its process", (store) => mustClaim(store), "tried"],
    ["failed", end(FAILED), "tried"],
    ["was postponed", end(POSTPONED), "untried"],
    ["was released", end({ kind: "released" }), "untried"],
    [
      "changed after it crashed a process",
      (store) => {
        mustClaim(store);
        register(store, [session("a", { size: 2 })]);
      },
      "untried",
    ],
  ];
  it.each(cases)("filters a session that %s", async (_, begin, which) => {
    const store = await openStore();
    register(store, [session("a")]);
    begin(store);
    const later = query({ nowMs: NOW + LEASE_MS });
    const other = which === "tried" ? "untried" : "tried";
    expect(store.extractions.claim(later, lease(), other)).toBeUndefined();
    expect(store.extractions.claim(later, lease(), which)?.threadId).toBe("a");
  });
});

describe("ExtractionQueue: claims", () => {
  it("holds a claim for as long as its lease is extended", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    const held = mustClaim(store);
    expect(store.extractions.heartbeat(held, NOW + LEASE_MS - 1, LEASE_MS)).toBe(true);
    expect(claim(store, { nowMs: NOW + LEASE_MS })).toBeUndefined();
    expect(claim(store, { nowMs: NOW + 2 * LEASE_MS - 1 })?.threadId).toBe("a");
  });

  it("keeps an expired claim that no other worker took", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    const held = mustClaim(store);
    expect(store.extractions.finish(held, extracted("late"), NOW + 9 * LEASE_MS)).toBe(true);
    expect(store.extractions.finish(held, extracted("twice"), NOW + 9 * LEASE_MS)).toBe(false);
    expect(store.consolidations.extractions("p", 9)).toMatchObject([{ rawMemory: "late" }]);
  });

  it("changes nothing after another worker took over", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    const lost = mustClaim(store);
    const nowMs = NOW + LEASE_MS;
    const taken = mustClaim(store, { nowMs });
    for (const outcome of [
      extracted("lost"),
      FAILED,
      { kind: "gone" },
      { kind: "released" },
    ] as const)
      expect(store.extractions.finish(lost, outcome, nowMs)).toBe(false);
    expect(store.extractions.heartbeat(lost, nowMs, LEASE_MS)).toBe(false);
    expect(store.extractions.finish(taken, extracted("taken"), nowMs)).toBe(true);
    expect(store.consolidations.extractions("p", 9)).toMatchObject([{ rawMemory: "taken" }]);
  });

  it("changes nothing after the project was cleared", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    const held = mustClaim(store);
    store.admin.clear("p", NOW);
    expect(store.extractions.heartbeat(held, NOW, LEASE_MS)).toBe(false);
    expect(store.extractions.finish(held, extracted("late"), NOW)).toBe(false);
    expect(store.consolidations.extractions("p", 9)).toEqual([]);
    expect(claimConsolidation(store).kind).toBe("clean");
    // Even if a job with the same token exists again.
    expect(store.extractions.finish({ ...held, epoch: 7 }, extracted("late"), NOW)).toBe(false);
  });

  it("rejects a claim of another epoch, whatever its token", async () => {
    const store = await openStore();
    register(store, [session("a")]);
    const held = mustClaim(store);
    expect(store.extractions.finish({ ...held, epoch: held.epoch + 1 }, extracted("x"), NOW)).toBe(
      false,
    );
    expect(store.extractions.finish(held, extracted("x"), NOW)).toBe(true);
  });
});

it("leaves a missing file and its extraction to the next registration", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  register(store, [session("a", { size: 2 })]);
  expect(store.extractions.finish(mustClaim(store), { kind: "gone" }, NOW)).toBe(true);
  expect(claim(store)).toBeUndefined();
  expect(store.extractions.count(query())).toEqual(NOTHING);
  expect(store.consolidations.extractions("p", 9)).toMatchObject([{ isRemoved: false }]);
  const [known] = store.registry.known("p", "caliban");
  expect(known).toMatchObject({ path: "/s/a.jsonl" });
  expect(known?.mtimeMs).not.toBe(NOW - DAY);
  const found = { source: "caliban", found: [], gone: ["/s/a.jsonl"], forgetGone: true };
  store.registry.update("p", found);
  expect(store.consolidations.extractions("p", 9)).toMatchObject([{ isRemoved: true }]);
});

it("keeps its results for the next process", async () => {
  const path = await databasePath();
  const first = await openStore(path);
  register(first, [session("a")]);
  extract(first, "learned");
  first.close();
  const second = await openStore(path);
  expect(second.consolidations.extractions("p", 9)).toHaveLength(1);
  expect(second.extractions.claim(query(), lease())).toBeUndefined();
});
