import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/notes/note.ts";
import { renderNote } from "../../src/notes/render-note.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 7, 13);
const why = { match: "words", score: 1, terms: [] } as const;
const topic = {
  kind: "topic",
  slug: "deploy",
  address: "memory://topics/deploy",
  atMs: NOW_MS - 3 * DAY_MS,
} as const;

const render = (note: Omit<Note, "why">, nonce?: string): string =>
  renderNote({ note: { ...note, why }, nonce, nowMs: NOW_MS });

describe("renderNote", () => {
  it("says where a memory comes from, how old it is, and what held before", () => {
    const was = { text: "Ship first.", untilMs: NOW_MS - 3 * DAY_MS };
    expect(render({ text: "Migrate first.", source: topic, was }, "7f3a")).toMatchInlineSnapshot(
      `"[memory: topic deploy, 3 days ago: Migrate first. Was "Ship first." until 2026-08-10.; nonce 7f3a]"`,
    );
    const session = {
      kind: "session",
      session: "0198",
      agent: "caliban",
      address: "session:0198#5",
    } as const;
    expect(
      render({ text: "Use pnpm.", source: { ...session, atMs: NOW_MS } }),
    ).toMatchInlineSnapshot(`"[memory: decided on 2026-08-13, session 0198: Use pnpm.]"`);
    const learned = {
      kind: "learned",
      name: "Tests › Names",
      address: "memory://root/MEMORY.md#1.0",
    } as const;
    expect(
      render({ text: "In test/.", source: { ...learned, atMs: undefined } }),
    ).toMatchInlineSnapshot(`"[memory: learned, Tests › Names: In test/.]"`);
  });

  it.for([
    ["moved", "what it refers to has moved"],
    ["changed", "the file it refers to has changed"],
    ["gone", "the file it refers to is gone"],
  ] as const)("marks evidence that is %s", ([evidence, expected]) => {
    expect(render({ text: "a", source: { ...topic, evidence } })).toContain(expected);
  });

  it("keeps a hostile text inside its line", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("]", "[", "<", ">", "\n", "\u001b", "a", "; nonce ") }),
        (text) => {
          const line = render({ text, source: { ...topic, slug: text } }, "n");
          expect(line).toMatch(/^\[memory: topic [^[\]<>\n]*; nonce n\]$/);
          expect(line).not.toContain("\u001b");
        },
      ),
    );
  });

  it("accepts times in the future and times that no date can have", () => {
    expect(render({ text: "a", source: { ...topic, atMs: NOW_MS + 9 * DAY_MS } })).toContain(
      "today",
    );
    expect(render({ text: "a", source: { ...topic, atMs: Infinity } })).toBe(
      "[memory: topic deploy: a]",
    );
  });
});
