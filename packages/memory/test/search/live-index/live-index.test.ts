import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryError } from "../../../src/errors.ts";
import { createLiveIndex, type RefreshedIndex } from "../../../src/search/live-index/live-index.ts";

import { scriptedSource } from "./scripted-source.ts";

function found({ index }: RefreshedIndex, query: string): readonly string[] {
  const { topics, turns } = index.search(query);
  return [...topics, ...turns].map(({ id }) => id).toSorted();
}

describe("createLiveIndex", () => {
  it("reads everything once, then only entries with a new fingerprint", async () => {
    const source = scriptedSource("topics", { one: "apple", two: "apple", three: "pear" });
    const live = createLiveIndex({ sources: [source] });
    expect(found(await live.refresh(), "apple")).toEqual(["topics:one#", "topics:two#"]);
    expect(source.reads).toEqual(["one", "two", "three"]);
    source.texts.set("two", { fingerprint: "2", body: "pear" });
    source.texts.set("four", { fingerprint: "1", body: "apple" });
    expect(found(await live.refresh(), "apple")).toEqual(["topics:four#", "topics:one#"]);
    expect(source.reads.slice(3)).toEqual(["two after 1", "four"]);
    await live.refresh();
    expect(source.reads).toHaveLength(5);
  });

  it("reads an entry with an empty fingerprint at every refresh", async () => {
    const source = scriptedSource("topics", { one: { fingerprint: "", body: "apple" } });
    const live = createLiveIndex({ sources: [source] });
    await live.refresh();
    source.texts.set("one", { fingerprint: "", body: "pear" });
    expect(found(await live.refresh(), "apple pear")).toEqual(["topics:one#"]);
    expect(found(await live.refresh(), "apple")).toEqual([]);
    expect(source.reads).toHaveLength(3);
  });

  it("drops a removed entry and finds it again when it returns", async () => {
    const source = scriptedSource("topics", { one: "apple", two: "apple" });
    const live = createLiveIndex({ sources: [source] });
    await live.refresh();
    source.texts.delete("one");
    const refreshed = await live.refresh();
    expect(found(refreshed, "apple")).toEqual(["topics:two#"]);
    expect(refreshed.counts).toEqual({ topics: 1, sessions: 0, turns: 0 });
    source.texts.set("one", { fingerprint: "1", body: "apple" });
    expect(found(await live.refresh(), "apple")).toEqual(["topics:one#", "topics:two#"]);
  });

  it("drops an entry that was listed but is missing when it is read", async () => {
    const source = scriptedSource("topics", { one: "apple" });
    const live = createLiveIndex({ sources: [source] });
    await live.refresh();
    const list = async () => [{ key: "one", fingerprint: "2" }];
    source.texts.delete("one");
    const hasty = createLiveIndex({ sources: [{ ...source, list }], known: live });
    expect(found(await hasty.refresh(), "apple")).toEqual([]);
  });

  it("adds or replaces the documents of an entry as the source says", async () => {
    const source = scriptedSource("sessions", {
      s: { fingerprint: "1", kind: "turn", body: "apple|apple" },
    });
    const live = createLiveIndex({ sources: [source] });
    expect((await live.refresh()).counts).toEqual({ topics: 0, sessions: 1, turns: 2 });
    source.texts.set("s", { fingerprint: "2", kind: "turn", body: "apple", change: "add" });
    const more = await live.refresh();
    expect(found(more, "apple")).toHaveLength(3);
    expect(more.counts).toEqual({ topics: 0, sessions: 1, turns: 3 });
    source.texts.set("s", { fingerprint: "3", kind: "turn", body: "apple" });
    const fewer = await live.refresh();
    expect(found(fewer, "apple")).toEqual(["sessions:s#3-0"]);
    expect(fewer.counts).toEqual({ topics: 0, sessions: 1, turns: 1 });
  });

  it("counts turns but not session summaries as turns", async () => {
    const source = scriptedSource("sessions", {
      s: { fingerprint: "1", kind: "turn", body: "apple|pear" },
    });
    const read: typeof source.read = async (...given) => {
      const entry = await source.read(...given);
      const summary = {
        id: "sessions:s#summary",
        kind: "session",
        session: "s",
        body: "plum",
      } as const;
      return entry && { ...entry, documents: [...entry.documents, summary] };
    };
    const { counts: amounts } = await createLiveIndex({ sources: [{ ...source, read }] }).refresh();
    expect(amounts).toEqual({ topics: 0, sessions: 1, turns: 2 });
  });

  it("keeps the documents of an entry whose key starts with the key of a removed one", async () => {
    const source = scriptedSource("topics", { a: "apple|apple", ab: "apple" });
    const live = createLiveIndex({ sources: [source] });
    await live.refresh();
    source.texts.set("a", { fingerprint: "2", body: "pear" });
    expect(found(await live.refresh(), "apple")).toEqual(["topics:ab#"]);
  });

  it("shares one refresh among simultaneous calls", async () => {
    const source = scriptedSource("topics", { one: "apple" });
    const live = createLiveIndex({ sources: [source] });
    await Promise.all([live.refresh(), live.refresh(), live.refresh()]);
    expect(source.looks()).toBe(1);
  });

  it("refreshes again for a call that comes after a refresh has started", async () => {
    const source = scriptedSource("topics", { one: "apple" });
    const live = createLiveIndex({ sources: [source] });
    const first = live.refresh();
    while (source.looks() === 0) await Promise.resolve();
    source.texts.set("late", { fingerprint: "1", body: "apple" });
    const second = live.refresh();
    expect(found(await second, "apple")).toEqual(["topics:late#", "topics:one#"]);
    await first;
    expect(source.looks()).toBe(2);
  });

  it("reads nothing more after it was stopped, and the rest next time", async () => {
    const texts = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, "apple"]));
    const source = scriptedSource("topics", texts);
    let isStopped = false;
    const pause = async (): Promise<void> => undefined;
    const read: typeof source.read = async (...given) => {
      isStopped = true;
      return await source.read(...given);
    };
    const stopped = { sources: [{ ...source, read }], pause, isStopped: () => isStopped };
    const live = createLiveIndex({ ...stopped, concurrency: 2 });
    expect(found(await live.refresh(), "apple")).toHaveLength(2);
    const next = createLiveIndex({ sources: [source], known: live });
    expect((await next.refresh()).counts.topics).toBe(9);
    expect(source.reads).toHaveLength(9);
  });

  it("respects the concurrency limit", async () => {
    const names = Array.from({ length: 10 }, (_, at) => [`k${at}`, "apple"]);
    const source = scriptedSource("topics", Object.fromEntries(names) as Record<string, string>);
    let [now, most] = [0, 0];
    const read: typeof source.read = async (...given) => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now--;
      return await source.read(...given);
    };
    const live = createLiveIndex({ sources: [{ ...source, read }], concurrency: 3 });
    expect(found(await live.refresh(), "apple")).toHaveLength(8);
    expect(most).toBe(3);
  });
});

describe("failures", () => {
  it("reports a failing source, keeps its known entries and does not affect other sources", async () => {
    const broken = scriptedSource("sessions", { s: "apple" });
    const whole = scriptedSource("topics", { t: "apple" });
    const live = createLiveIndex({ sources: [broken, whole] });
    await live.refresh();
    broken.fail("the disk is gone");
    whole.texts.set("u", { fingerprint: "1", body: "apple" });
    const refreshed = await live.refresh();
    expect(found(refreshed, "apple")).toEqual(["sessions:s#", "topics:t#", "topics:u#"]);
    expect(refreshed.notes).toEqual(["Could not check the sessions: the disk is gone."]);
    broken.fail();
    expect((await live.refresh()).notes).toEqual([]);
  });

  it("retries a failing entry without affecting the others", async () => {
    const throws = new MemoryError("REFUSED_FILE", "no");
    const source = scriptedSource("topics", {
      bad: { fingerprint: "1", body: "", throws },
      good: "apple",
    });
    const live = createLiveIndex({ sources: [source] });
    const refreshed = await live.refresh();
    expect(found(refreshed, "apple")).toEqual(["topics:good#"]);
    expect(refreshed.notes).toEqual(["Could not read bad: no."]);
    source.texts.set("bad", { fingerprint: "1", body: "apple" });
    expect(found(await live.refresh(), "apple")).toEqual(["topics:bad#", "topics:good#"]);
  });

  it("throws an error without a code, because it is a bug", async () => {
    const source = scriptedSource("topics", {
      bad: { fingerprint: "1", body: "", throws: new TypeError("x") },
    });
    const live = createLiveIndex({ sources: [source] });
    await expect(live.refresh()).rejects.toThrow(TypeError);
    source.texts.set("bad", { fingerprint: "1", body: "apple" });
    expect(found(await live.refresh(), "apple")).toEqual(["topics:bad#"]);
  });

  it("repeats a problem with every refresh as long as it exists", async () => {
    const problem = "part.md is too long.";
    const source = scriptedSource("topics", { part: { fingerprint: "1", body: "apple", problem } });
    const live = createLiveIndex({ sources: [source] });
    expect((await live.refresh()).notes).toEqual([problem]);
    expect((await live.refresh()).notes).toEqual([problem]);
    expect(source.reads).toEqual(["part"]);
    source.texts.set("part", { fingerprint: "2", body: "apple" });
    expect((await live.refresh()).notes).toEqual([]);
  });

  it("reads an entry again that had a problem and no documents", async () => {
    const problem = "none.md cannot be read.";
    const source = scriptedSource("topics", { none: { fingerprint: "1", body: "", problem } });
    const live = createLiveIndex({ sources: [source] });
    await live.refresh();
    await live.refresh();
    expect(source.reads).toHaveLength(2);
    expect(live.changed()).toBe(1);
    source.texts.set("none", { fingerprint: "1", body: "apple" });
    const refreshed = await live.refresh();
    expect({ found: found(refreshed, "apple"), notes: refreshed.notes }).toEqual({
      found: ["topics:none#"],
      notes: [],
    });
  });

  it("counts further problems instead of listing them all", async () => {
    const names = Array.from({ length: 9 }, (_, at) => [
      `k${at}`,
      { fingerprint: "1", body: "", problem: `${at}.` },
    ]);
    const source = scriptedSource("topics", Object.fromEntries(names));
    const { notes } = await createLiveIndex({ sources: [source] }).refresh();
    expect(notes).toEqual(["0.", "1.", "2.", "3.", "4.", "4 more files were left out."]);
  });
});

it("finds the same as a new index after any sequence of changes", async () => {
  const word = fc.constantFrom("apple", "pear", "apple|pear", "");
  const step = fc.record({ key: fc.constantFrom("a", "ab", "b"), text: fc.option(word) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const source = scriptedSource("topics");
      const live = createLiveIndex({ sources: [source] });
      for (const [at, { key, text }] of steps.entries()) {
        if (text === null) source.texts.delete(key);
        else source.texts.set(key, { fingerprint: `${at}`, body: text });
        const refreshed = await live.refresh();
        const rebuilt = await createLiveIndex({ sources: [source] }).refresh();
        expect(found(refreshed, "apple")).toEqual(found(rebuilt, "apple"));
        expect(refreshed.counts).toEqual(rebuilt.counts);
      }
    }),
    { numRuns: 60 },
  );
});
