import { expect, it } from "vitest";
import { createNoteIndex, type NoteIndex } from "../../src/notes/note-index.ts";
import type { Passage } from "../../src/notes/note-record.ts";

/** A passage with a record, in which words may be repeated. */
function passage(vocabulary: string): Passage {
  const record = {
    at: "0",
    kind: "statement" as const,
    atMs: 0,
    strength: 1,
    amends: false,
    isGeneral: false,
    own: [],
    near: [],
  };
  return { title: [], vocabulary: vocabulary.split(" "), records: [record] };
}

function massesOf(index: NoteIndex, term: string): ReadonlyMap<string, number> {
  const weights = { anywhere: 3, title: 0, own: 0 };
  const matched = index.match(new Map([[term, weights]]));
  return new Map(matched.map(({ mass, notes: [first] }) => [first?.note.entry ?? "", mass]));
}

it("counts a word more the more often a passage uses it, also after other entries were removed", () => {
  const index = createNoteIndex();
  index.set("often", [passage("retry retry retry delay")]);
  index.set("once", [passage("retry delay budget proxy")]);
  const before = massesOf(index, "retry");
  expect(before.get("often")).toBeGreaterThan((before.get("once") ?? 0) * 1.5);
  // So many that what was removed is cleaned up.
  for (let round = 0; round < 1_500; round++) index.set("edited", [passage(`draft ${round}`)]);
  expect(massesOf(index, "retry")).toEqual(before);
});

it("forgets how rare a word was when entries change", () => {
  const index = createNoteIndex();
  index.set("one", [passage("retry")]);
  const rare = index.rarity("retry");
  for (let at = 0; at < 50; at++) index.set(`other-${at}`, [passage("retry")]);
  expect(index.rarity("retry")).toBeLessThan(rare);
});
