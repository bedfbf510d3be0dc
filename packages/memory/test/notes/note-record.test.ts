import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NoteRecord, packNotes, unpackNotes } from "../../src/notes/note-record.ts";

const term = fc.stringMatching(/^[a-z!/]{1,6}$/);
const count = fc.nat({ max: 9 });
const record: fc.Arbitrary<NoteRecord> = fc.record({
  at: fc.stringMatching(/^\d{0,3}$/),
  kind: fc.constantFrom("topic", "section", "statement"),
  atMs: fc.option(count, { nil: undefined }),
  strength: fc.constantFrom(0, 0.45, 0.85, 1),
  amends: fc.boolean(),
  isGeneral: fc.boolean(),
  span: fc.option(fc.record({ from: count, to: count }), { nil: undefined }),
  lead: fc.option(fc.record({ from: count, to: count, at: fc.stringMatching(/^\d{1,3}$/) }), {
    nil: undefined,
  }),
  own: fc.array(term, { maxLength: 3 }),
  near: fc.array(term, { maxLength: 3 }),
});

describe("packNotes", () => {
  it("packNotes writes what unpackNotes reads", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            title: fc.array(term, { maxLength: 2 }),
            vocabulary: fc.array(term, { maxLength: 3 }),
            records: fc.array(record, { maxLength: 3 }),
          }),
          { maxLength: 3 },
        ),
        (passages) => {
          expect(unpackNotes(packNotes(passages))).toEqual(passages);
        },
      ),
    );
  });

  it("keeps when a topic applies and what it replaces", () => {
    const topic: NoteRecord = {
      at: "",
      kind: "topic",
      atMs: 1,
      strength: 1,
      amends: false,
      isGeneral: false,
      span: undefined,
      lead: undefined,
      own: ["deploi"],
      near: [],
      applies: { paths: ["src/**"], commands: ["npm *"] },
      supersedes: ["old\tdeploy\n"],
    };
    const passages = [{ title: ["deploi"], vocabulary: [], records: [topic] }];
    expect(unpackNotes(packNotes(passages))).toEqual(passages);
  });

  it("ignores text of another program", () => {
    for (const text of ["x", "a\nb", "\t\t\t", "\n\n\t9"]) expect(unpackNotes(text)).toEqual([]);
  });
});
