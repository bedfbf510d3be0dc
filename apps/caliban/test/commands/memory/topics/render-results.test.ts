import { shellCommand, terminalSafe } from "@caliban/common";
import { expect, it } from "vitest";
import { renderResults } from "../../../../src/commands/memory/topics/render-results.ts";

it("escapes control characters of topics and sessions", () => {
  const evil = "a\u001B[2Jb\u009B31m\u202Ec\nd";
  const text = { text: evil, marks: [[0, evil.length] as const] };
  const common = { updatedMs: undefined, score: 1 };
  const shown = renderResults(
    {
      topics: [
        {
          ...common,
          kind: "skill",
          name: evil,
          address: evil,
          type: evil,
          description: evil,
          snippet: text,
        },
      ],
      sessions: [
        {
          ...common,
          session: evil,
          agent: evil,
          title: evil,
          turns: [
            { role: "user", text, isHit: true },
            { role: "assistant", text: { text: evil, marks: [] }, isHit: false },
          ],
        },
      ],
      searched: { topics: 1, sessions: 1, turns: 2 },
      notes: [],
    },
    { nowMs: 0, heading: (title) => title, hasBold: false, command: shellCommand },
  );
  expect(shown).toBe(terminalSafe(shown));
  expect(shown.split("\n")).toHaveLength(10);
});

it("marks a topic whose evidence is not there any more", () => {
  const topic = {
    kind: "topic",
    name: "pool",
    address: "memory://topics/pool",
    type: "project",
    description: "size",
    snippet: { text: "", marks: [] },
    updatedMs: undefined,
    score: 1,
    evidence: "changed",
  } as const;
  const found = { topics: [topic], sessions: [], searched: NOTHING_SEARCHED, notes: [] };
  const style = { nowMs: 0, heading: (title: string) => title, hasBold: false };
  expect(renderResults(found, { ...style, command: shellCommand })).toContain(
    "pool (project, undated, score 1.00, evidence changed): size",
  );
});

const NOTHING_SEARCHED = { topics: 0, sessions: 0, turns: 0 };
