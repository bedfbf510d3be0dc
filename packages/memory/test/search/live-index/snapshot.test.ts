import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEntryTable } from "../../../src/search/live-index/entry-table.ts";
import { openSnapshot, packSnapshot } from "../../../src/search/live-index/snapshot.ts";
import { createLiveIndex, type LiveIndex } from "../../../src/search/live-index/live-index.ts";
import {
  type FlatArray,
  packArrays,
  unpackArrays,
} from "../../../src/search/engine/segment/array-bundle.ts";
import { type ScriptedText, scriptedSource } from "./scripted-source.ts";

function joinedSnapshot(live: Parameters<typeof packSnapshot>[0]): Uint8Array {
  return new Uint8Array(Buffer.concat(packSnapshot(live)));
}

const FULL = process.env["FULL"] === "1";

const SOURCES = [{ name: "topics" }, { name: "sessions" }];

async function made(
  topics: Readonly<Record<string, ScriptedText | string>>,
  sessions: Readonly<Record<string, ScriptedText | string>> = {},
): Promise<Pick<LiveIndex, "index" | "tables">> {
  const sources = [scriptedSource("topics", topics), scriptedSource("sessions", sessions)];
  const live = createLiveIndex({ sources });
  await live.refresh();
  return live;
}

function known(index: Pick<LiveIndex, "index" | "tables"> | undefined): unknown {
  return Array.from(index?.tables ?? [], ([name, table]) => [name, table.known()]);
}

describe("snapshots", () => {
  it("restores the index and all entries from a snapshot", async () => {
    const problem = "half of it was left out.";
    const before = await made(
      { été: "apple", "\uD800": { fingerprint: "2", body: "pear", problem } },
      { s: { fingerprint: "3", kind: "turn", body: "apple|pear" } },
    );
    const after = openSnapshot(joinedSnapshot(before), SOURCES);
    expect(known(after)).toEqual(known(before));
    expect(after?.index.search("apple")).toEqual(before.index.search("apple"));
  });

  it("restores any entry table from a snapshot", async () => {
    const text = fc.string({ unit: "binary", maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(text, fc.record({ fingerprint: text, body: text }), { maxKeys: 3 }),
        async (all) => {
          const before = await made(all);
          expect(known(openSnapshot(joinedSnapshot(before), SOURCES))).toEqual(known(before));
        },
      ),
      { numRuns: FULL ? 40 : 8 },
    );
  });

  it("rejects a snapshot with any byte changed", async () => {
    const bytes = joinedSnapshot(await made({ one: "apple", two: "pear" }, { s: "plum" }));
    // One byte of each word, at every position in a word.
    for (let at = 0; at < bytes.length; at += 3) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect(openSnapshot(damaged, SOURCES), `byte ${at}`).toBeUndefined();
    }
  });

  it("rejects a truncated or extended snapshot", async () => {
    const bytes = joinedSnapshot(await made({ one: "apple" }));
    for (let end = 0; end < bytes.length; end += 7)
      expect(openSnapshot(bytes.slice(0, end), SOURCES), `${end} bytes`).toBeUndefined();
    expect(openSnapshot(bytes.slice(0, -8), SOURCES)).toBeUndefined();
    expect(openSnapshot(new Uint8Array([...bytes, ...new Uint8Array(8)]), SOURCES)).toBeUndefined();
  });

  it("rejects a snapshot made of parts of two snapshots", async () => {
    const [one, other] = [
      joinedSnapshot(await made({ one: "apple" })),
      joinedSnapshot(await made({ one: "pearl" })),
    ];
    expect(one.length).toBe(other.length);
    const length = new Uint32Array(one.buffer, 0, 2)[1] ?? 0;
    const mixed = new Uint8Array([...one.slice(0, 8 + length), ...other.slice(8 + length)]);
    expect(openSnapshot(mixed, SOURCES)).toBeUndefined();
  });

  it("rejects a snapshot of other sources", async () => {
    const bytes = joinedSnapshot(await made({ one: "apple" }));
    for (const sources of [
      [],
      [{ name: "topics" }],
      SOURCES.toReversed(),
      [...SOURCES, { name: "x" }],
    ])
      expect(openSnapshot(bytes, sources)).toBeUndefined();
  });

  it.for([
    ["floats", (counts: FlatArray) => new Float64Array(counts.length).fill(NaN)],
    ["bytes", (counts: FlatArray) => Uint8Array.from(counts)],
  ] as const)("rejects a snapshot whose counts are %s", async ([, change]) => {
    const bytes = joinedSnapshot(await made({ one: "apple" }));
    const length = new Uint32Array(bytes.buffer, 0, 2)[1] ?? 0;
    const version = new Uint32Array(bytes.buffer, 0, 4)[3] ?? 0;
    const arrays = unpackArrays(bytes.slice(8, 8 + length), version);
    if (typeof arrays === "string") throw new Error(arrays);
    const [beginning, texts, counts] = arrays;
    if (beginning === undefined || texts === undefined || counts === undefined)
      throw new Error("no table");
    const rebuilt = (own: FlatArray): Uint8Array => {
      const packed = packArrays([beginning, texts, own], version);
      const head = new Uint8Array(bytes.slice(0, 8));
      new Uint32Array(head.buffer)[1] = packed.length;
      return new Uint8Array([...head, ...packed, ...bytes.slice(8 + length)]);
    };
    expect(openSnapshot(rebuilt(counts), SOURCES)).toBeDefined();
    expect(openSnapshot(rebuilt(change(counts)), SOURCES)).toBeUndefined();
  });

  it.for([
    ["a file has no problem", ["key", "fingerprint", "cursor"], []],
    ["a count is missing", ["key", "fingerprint", "cursor", ""], [1, 1]],
    ["a count is left over", ["key", "fingerprint", "cursor", ""], [1, 1, 0, 1]],
  ] as const)("rejects a snapshot in which %s", async ([, texts, counts]) => {
    const { index, tables } = await made({ one: "apple" });
    const odd = { ...createEntryTable(), packed: () => ({ texts, counts }) };
    const bytes = joinedSnapshot({ index, tables: new Map([...tables, ["sessions", odd]]) });
    expect(openSnapshot(bytes, SOURCES)).toBeUndefined();
  });

  it("rejects bytes that are not a snapshot", async () => {
    const { index } = await made({ one: "apple" });
    const others = [
      index.save(),
      new TextEncoder().encode("#!/bin/sh\n".repeat(99)),
      new Uint8Array(64),
    ];
    for (const bytes of others) expect(openSnapshot(bytes, SOURCES)).toBeUndefined();
  });
});
