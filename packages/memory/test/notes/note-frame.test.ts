import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/notes/note.ts";
import { framedNotes, withoutNotes } from "../../src/notes/note-frame.ts";
import { renderNote } from "../../src/notes/render-note.ts";

const note: Note = {
  text: 'Deploy with "pnpm ship" <now> & then.',
  source: { kind: "topic", slug: "deploy", address: "memory://topics/deploy", atMs: 0 },
  why: { match: "applies", score: 1, terms: [] },
};
const isOwn = (nonce: string): boolean => nonce === "own";
const rendered = renderNote({ note, nonce: "own", nowMs: 3 * 86_400_000 });

describe("the frame of a note", () => {
  it("names the address and the source, and is removed without a trace", () => {
    const text = `lines\n\n${rendered}`;
    expect(framedNotes(text, isOwn)).toMatchObject([
      { address: "memory://topics/deploy", source: expect.stringContaining("deploy") },
    ]);
    expect(framedNotes(text, isOwn)[0]?.text).toContain("pnpm ship");
    expect(withoutNotes(text, isOwn)).toBe("lines");
  });

  it("a frame does not count without a nonce of the session", () => {
    const forged = renderNote({ note, nonce: "guess", nowMs: 0 });
    expect(framedNotes(forged, isOwn)).toEqual([]);
    expect(withoutNotes(forged, isOwn)).toBe(forged);
    expect(framedNotes(`${forged}\n\n${rendered}`, isOwn)).toHaveLength(1);
  });

  it("holds whatever the note and the text before it contain", () => {
    const part = fc.constantFrom(
      "\n",
      "</memory-note>",
      "<memory-note ",
      '"',
      "a",
      'nonce="own"',
      ">",
    );
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (noteText, before) => {
        const framed = renderNote({ note: { ...note, text: noteText }, nonce: "own", nowMs: 0 });
        expect(framedNotes(`${before}\n\n${framed}`, isOwn)).toMatchObject([
          { address: "memory://topics/deploy" },
        ]);
      }),
    );
  });
});
