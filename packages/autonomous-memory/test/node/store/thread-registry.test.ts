import { expect, it } from "vitest";
import { openDatabase } from "../../../src/node/store/database/open-database.ts";
import type { SourceFile } from "../../../src/transcript/session-source.ts";
import type { ThreadKind } from "../../../src/store/pipeline-store.ts";
import {
  claim,
  consolidate,
  databasePath,
  DAY,
  extract,
  extracted,
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

const fileOf = ({ path, mtimeMs, size }: SourceFile): SourceFile => ({ path, mtimeMs, size });

it("returns registered files by project and source, including those of other projects", async () => {
  const store = await openStore();
  const kinds: readonly ThreadKind[] = ["session", "opted-out", "other-project", "unreadable"];
  const files = kinds.map((kind) => {
    const isSession = kind === "session" || kind === "opted-out";
    return session(kind, { kind, threadId: isSession ? kind : undefined });
  });
  register(store, files);
  register(store, [session("elsewhere")], "q");
  register(store, [session("theirs")], "p", "claude");
  const known = store.registry.known("p", "caliban");
  expect(known.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual(
    files.map(fileOf).toSorted((a, b) => a.path.localeCompare(b.path)),
  );
  expect(store.registry.known("p", "claude")).toEqual([fileOf(session("theirs"))]);
});

it("neither writes nor waits when nothing changed", async () => {
  const path = await databasePath();
  const store = await openStore(path);
  const { database } = await openDatabase({ path });
  database.exec("BEGIN IMMEDIATE");
  // A write would wait for the other one, and then fail.
  register(store, []);
  expect(store.registry.known("p", "caliban")).toEqual([]);
  database.exec("ROLLBACK");
  database.close();
});

it("keeps a changed session, with unknown content until it is read", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "old");
  register(store, [session("a", { size: 2 })]);
  expect(store.registry.known("p", "caliban")).toEqual([fileOf(session("a", { size: 2 }))]);
  expect(mustClaim(store).doneContentHash).toBe("h");
});

it("moves a session and its extraction to another project", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  consolidate(store);
  register(store, [session("a", { path: "/other/a.jsonl" })], "q");
  expect(store.registry.known("p", "caliban")).toEqual([]);
  expect(store.consolidations.extractions("p", 9)).toEqual([]);
  expect(claimConsolidation(store).kind).toBe("clean");
  expect(store.consolidations.extractions("q", 9)).toMatchObject([
    { threadId: "a", rawMemory: "learned", isNew: true, isRemoved: false },
  ]);
  mustConsolidate(store, NOW, "q");
  expect(claim(store, { project: "q" })).toBeUndefined();
});

it("invalidates the claim on a session that moved while it was read", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  const before = mustClaim(store);
  register(store, [session("a", { path: "/other/a.jsonl" })], "q");
  expect(store.extractions.finish(before, extracted("late"), NOW)).toBe(false);
  expect(mustClaim(store, { project: "q" }).file.path).toBe("/other/a.jsonl");
});

it("keeps a session in both projects that see it at the same path", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  register(store, [session("a")], "q");
  expect(store.consolidations.extractions("p", 9)).toHaveLength(1);
  expect(store.registry.known("p", "caliban")).toHaveLength(1);
});

it("marks an extraction as removed when the user removed its session", async () => {
  const store = await openStore();
  register(store, [session("a"), session("b", { mtimeMs: NOW - 2 * DAY })]);
  extract(store, "learned");
  consolidate(store);
  remove(store, "/s/a.jsonl", true);
  expect(store.consolidations.extractions("p", 0)).toMatchObject([
    { threadId: "a", rawMemory: "learned", isNew: true, isRemoved: true },
  ]);
  expect(claimConsolidation(store).kind).toBe("claimed");
  expect(store.registry.known("p", "caliban")).toMatchObject([{ path: "/s/b.jsonl" }]);
});

it("forgets a session without an extraction without marking the project dirty", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "");
  remove(store, "/s/a.jsonl", true);
  expect(claimConsolidation(store).kind).toBe("clean");
  expect(store.consolidations.extractions("p", 9)).toEqual([]);
});

it("keeps the extraction of a file that another agent removed", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  consolidate(store);
  remove(store, "/s/a.jsonl", false);
  expect(store.registry.known("p", "caliban")).toEqual([]);
  expect(store.consolidations.extractions("p", 9)).toMatchObject([{ isRemoved: false }]);
  expect(claimConsolidation(store).kind).toBe("clean");
  // It need not be read again when it comes back.
  register(store, [session("a")]);
  expect(claim(store)).toBeUndefined();
});

it("reads a session again that was removed and came back", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  remove(store, "/s/a.jsonl", true);
  register(store, [session("a")]);
  expect(mustClaim(store).doneContentHash).toBeUndefined();
});

it("keeps a cleared session excluded even if its file comes back in another project", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  store.admin.clear("p", NOW);
  remove(store, "/s/a.jsonl", true);
  register(store, [session("a")]);
  expect(claim(store)).toBeUndefined();
  register(store, [session("a", { path: "/other/a.jsonl" })], "q");
  expect(store.extractions.count(query({ project: "q" })).cleared).toBe(1);
});

it("recognizes a renamed file as the same session", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  consolidate(store);
  const found = [session("a", { path: "/s/renamed.jsonl" })];
  const gone = ["/s/a.jsonl"];
  store.registry.update("p", { source: "caliban", found, gone, forgetGone: true });
  expect(store.consolidations.extractions("p", 9)).toMatchObject([{ isRemoved: false }]);
  expect(claim(store)).toBeUndefined();
});

it("forgets a session whose file now contains another one", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  register(store, [session("b", { path: "/s/a.jsonl", size: 2 })]);
  expect(store.consolidations.extractions("p", 9)).toMatchObject([
    { threadId: "a", isRemoved: true },
  ]);
});

it("remembers the session of a file while it is unreadable", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  const unreadable = session("a", { kind: "unreadable", threadId: undefined, size: 2 });
  register(store, [unreadable]);
  expect(store.registry.known("p", "caliban")).toEqual([fileOf(unreadable)]);
  expect(store.consolidations.extractions("p", 9)).toMatchObject([{ isRemoved: false }]);
  remove(store, "/s/a.jsonl", true);
  expect(store.consolidations.extractions("p", 9)).toMatchObject([{ isRemoved: true }]);
});

it("marks the extraction of an opted-out session as removed", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  register(store, [session("a", { kind: "opted-out", size: 2 })]);
  expect(store.consolidations.extractions("p", 9)).toMatchObject([{ isRemoved: true }]);
  expect(claim(store)).toBeUndefined();
  expect(store.extractions.count(query()).optedOut).toBe(1);
});

it("reads a session in two files once, from the newer one", async () => {
  const store = await openStore();
  const older = session("a", { path: "/s/z.jsonl", mtimeMs: NOW - 2 * DAY });
  register(store, [older, session("a")]);
  expect(store.extractions.count(query()).due).toBe(1);
  expect(extract(store, "learned").file.path).toBe("/s/a.jsonl");
  expect(claim(store)).toBeUndefined();
  // One of its files opts out.
  register(store, [{ ...older, kind: "opted-out" }]);
  expect(store.extractions.count(query())).toMatchObject({ optedOut: 1, due: 0, upToDate: 0 });
});

it("reports a removed extraction only once", async () => {
  const store = await openStore();
  register(store, [session("a")]);
  extract(store, "learned");
  remove(store, "/s/a.jsonl", true);
  const [removed] = store.consolidations.extractions("p", 9);
  register(store, [session("a")]);
  extract(store, "");
  expect(store.consolidations.extractions("p", 9)).toEqual([removed]);
});
