import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createNoteIndex, type NoteIndex } from "../../src/notes/note-index.ts";
import { packNotes, type Passage } from "../../src/notes/note-record.ts";
import { openPackedNotes, type PackedNotes } from "../../src/notes/packed/open-packed-notes.ts";
import { packNoteIndex } from "../../src/notes/packed/pack-note-index.ts";

const TERMS = ["pnpm", "npm", "deploy", "größe", "src/db/pool.ts", "日本", "!npm", "pool"];
const terms = fc.array(fc.constantFrom(...TERMS), { maxLength: 5 });
const unique = fc.uniqueArray(fc.constantFrom(...TERMS), { maxLength: 3 });

const record = fc.record({
  at: fc.constantFrom("0", "17"),
  kind: fc.constantFrom("topic" as const, "section" as const, "statement" as const),
  atMs: fc.constantFrom(undefined, 5),
  strength: fc.constantFrom(0, 0.5, 1),
  amends: fc.boolean(),
  isGeneral: fc.boolean(),
  own: unique,
  near: unique,
  span: fc.constantFrom(undefined, { from: 1, to: 9 }),
  applies: fc.constantFrom(undefined, { paths: ["src/**"], commands: ["npm *"] }),
  supersedes: fc.constantFrom(undefined, ["a"]),
});
const passage: fc.Arbitrary<Passage> = fc.record({
  title: unique,
  vocabulary: terms,
  records: fc.array(record, { maxLength: 3 }),
});
const entries = fc.dictionary(
  fc.constantFrom("topics:a", "topics:b", "user:ü", "sessions:s1"),
  fc.array(passage, { maxLength: 3 }),
  { noNullPrototype: true },
);

it("finds in a file what an index in memory finds", () => {
  fc.assert(
    fc.property(entries, (given) => {
      const packed = Object.entries(given).map(
        ([entry, passages]) => [entry, packNotes(passages)] as const,
      );
      const memory = createNoteIndex();
      // In the order of the file, so that the numbers are the same.
      for (const [entry, passages] of Object.entries(given).toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      ))
        memory.set(entry, passages);
      const opened = open(packNoteIndex(packed, "stamp ü"));
      expect(opened?.stamp).toBe("stamp ü");
      expect(opened && answers(opened.index)).toEqual(answers(memory));
    }),
  );
});

/** Everything that can be asked. */
function answers(index: NoteIndex): unknown {
  const weights = { anywhere: 2, title: 0.5, own: 1 };
  const matched = index.match(new Map(TERMS.map((term) => [term, weights])));
  const notes = matched.flatMap((each) => each.notes.map(({ note }) => note));
  return {
    matched: matched.map(({ mass, terms: count, notes: found }) => ({ mass, count, found })),
    rarities: [...TERMS, "absent"].map(index.rarity),
    applying: index.applying(),
    superseding: index.superseding(),
    own: index.withOwn(new Map(TERMS.map((term) => [term, 1])), 0.1),
    passages: notes.map(index.passageOf),
    entries: ["topics:a", "topics:b", "user:ü", "sessions:s1", "none"].map(index.ofEntry),
    terms: notes.map((note) => TERMS.map((term) => index.hasTerm(note, term))),
    similarities: notes.map((note) => notes.map((other) => index.similarity(note, other))),
  };
}

it("returns the same object for the same record, because records are compared", () => {
  const passages = [{ title: [], vocabulary: ["pool"], records: [fixed()] }];
  const opened = open(packNoteIndex([["topics:a", packNotes(passages)]], ""));
  const [first] = opened?.index.ofEntry("topics:a") ?? [];
  expect(first).toBeDefined();
  expect(opened?.index.ofEntry("topics:a")[0]).toBe(first);
});

it("opens no truncated or foreign file", () => {
  const bytes = packNoteIndex([["topics:a", packNotes([])]], "stamp");
  expect(open(bytes)).toBeDefined();
  expect(open(bytes.slice(0, -8))).toBeUndefined();
  expect(open(new TextEncoder().encode("not an index at all"))).toBeUndefined();
  expect(open(new Uint8Array(0))).toBeUndefined();
});

it("finds less, and never throws, in a file that is damaged anywhere", () => {
  fc.assert(
    fc.property(entries, fc.nat(), fc.integer({ min: 0, max: 255 }), (given, at, value) => {
      const packed = Object.entries(given).map(
        ([entry, passages]) => [entry, packNotes(passages)] as const,
      );
      const bytes = packNoteIndex(packed, "");
      const head = 8 + (new Uint32Array(bytes.buffer, 0, 2)[1] ?? 0);
      bytes[at % bytes.length] = value;
      const opened = open(at % 2 === 0 ? bytes : bytes.slice(0, head));
      expect(() => opened && answers(opened.index)).not.toThrow();
    }),
    { numRuns: 2_000 },
  );
});

function open(bytes: Uint8Array): PackedNotes | undefined {
  return openPackedNotes((offset, length) => bytes.slice(offset, offset + length));
}

function fixed(): Passage["records"][number] {
  const common = {
    at: "0",
    kind: "topic" as const,
    atMs: 1,
    strength: 1,
    amends: false,
    isGeneral: false,
  };
  return { ...common, own: ["pool"], near: [] };
}
