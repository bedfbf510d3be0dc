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

const render = (note: Omit<Note, "why">): string =>
  renderNote({ note: { ...note, why }, nonce: "7f3a", nowMs: NOW_MS });

describe("renderNote", () => {
  it("says where a memory comes from, how old it is, and what held before", () => {
    const was = { text: "Ship first.", untilMs: NOW_MS - 3 * DAY_MS };
    const text = render({ text: "Migrate first.", source: topic, was });
    expect(text).toContain("topic deploy, 3 days ago");
    expect(text).toContain("Migrate first. (was until 2026-08-10: Ship first.)");
    const session = { kind: "session", session: "0198", agent: "caliban", address: "a" } as const;
    expect(render({ text: "Use pnpm.", source: { ...session, atMs: NOW_MS } })).toContain(
      "decided on 2026-08-13, session 0198",
    );
  });

  it.for(["moved", "changed", "gone"] as const)("marks evidence that is %s", (evidence) => {
    expect(render({ text: "a", source: { ...topic, evidence } })).toContain(evidence);
    expect(render({ text: "a", source: { ...topic, evidence: "ok" } })).not.toContain("evidence");
  });

  it("accepts times in the future and times that no date can have", () => {
    const at = (atMs: number): string => render({ text: "a", source: { ...topic, atMs } });
    expect(at(NOW_MS + 9 * DAY_MS)).toContain("today");
    expect(at(Infinity)).toContain("topic deploy");
  });
});
