import { expect, it } from "vitest";
import { createNoteIndex, type IndexedNote } from "../../src/notes/note-index.ts";
import { amendedIn } from "../../src/notes/same-subject.ts";
import { findStatements } from "../../src/notes/statements.ts";

type Talk = readonly string[];

/** The statements of conversations, each a day later than the one before. */
function notesOf(talks: readonly Talk[], order: readonly number[]) {
  const index = createNoteIndex();
  for (const at of order) {
    const turns = (talks[at] ?? []).map((line, turn) => ({
      at: String(turn),
      role: line.startsWith("u:") ? ("user" as const) : ("assistant" as const),
      text: line.slice(3),
      atMs: at * 86_400_000 + turn,
      isTainted: false,
      touched: [],
    }));
    index.set(`sessions:${at}`, findStatements(turns));
  }
  const notes = talks.map((_, at): readonly IndexedNote[] => index.ofEntry(`sessions:${at}`));
  return { index, notes };
}

const OTHERS: readonly Talk[] = [
  ["u: which color has the logo?", "a: Blue or green?", "u: Always blue."],
  ["u: how do we name branches?", "a: By ticket?", "u: The ticket, then a few words."],
];

it.for([
  [
    "an answer with another value",
    [
      "u: how long do we keep telemetry of trips?",
      "a: As you like.",
      "u: Telemetry stays 30 days.",
    ],
    ["u: GPS telemetry of trips is deleted after 7 days from now on.", "a: Changed."],
  ],
  [
    "another tool",
    ["u: which HTTP client for partner APIs?", "a: OkHttp?", "u: OkHttp for all partner APIs."],
    ["u: We're switching the partner APIs from OkHttp to the Ktor client.", "a: Done."],
  ],
  [
    "a correction that names no change",
    ["u: what is the late fee?", "a: None yet.", "u: The late fee is 10 euros for half an hour."],
    [
      "u: the late fee makes people angry",
      "a: It is 10 euros.",
      "u: The late fee: 5 euros for an hour.",
    ],
  ],
] as const)(
  "replaces what held before by %s, in whatever order they are read",
  ([, old, current]) => {
    const talks = [old, current, ...OTHERS];
    for (const order of [
      [0, 1, 2, 3],
      [3, 1, 2, 0],
    ]) {
      const { index, notes } = notesOf(talks, order);
      const [older] = notes[0]?.slice(-1) ?? [];
      const [newer] = notes[1]?.slice(-1) ?? [];
      if (older === undefined || newer === undefined) throw new Error("nothing was settled");
      const all = notes.flat();
      expect(amendedIn(index, older, all)?.entry).toBe("sessions:1");
      expect(amendedIn(index, newer, all)).toBe(undefined);
    }
  },
);

it("keeps a decision if a later one is about something else in the same part of the program", () => {
  const talks = [
    ["u: pin actions in the workflows?", "a: By tag?", "u: Pin every action to a full commit sha."],
    ["u: the deploy workflow scares me", "a: Tags?", "u: Production deploys from a tag only."],
    ...OTHERS,
  ];
  const { index, notes } = notesOf(talks, [0, 1, 2, 3]);
  const [older] = notes[0]?.slice(-1) ?? [];
  if (older === undefined) throw new Error("nothing was settled");
  expect(amendedIn(index, older, notes.flat())).toBe(undefined);
});
