import * as fc from "fast-check";
import type { NewRecord, SessionRecord } from "../../src/record/record.ts";
import type { SessionMessage, SessionPart } from "../../src/record/session-message.ts";

const AT = "2026-11-16T17:10:45.000Z";
const text = fc.constantFrom("", "a", "é😀", "\uD800", "line\nline", '"\\', "\u2028", "\0");
const id = fc.constantFrom("c1", "c2", "c3");

const part: fc.Arbitrary<SessionPart> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.record({
    type: fc.constant("reasoning" as const),
    text,
    metadata: fc.constant({ anthropic: { signature: "s", nested: { deep: [1, null] } } }),
  }),
  fc.record({
    type: fc.constant("tool-call" as const),
    id,
    name: fc.constantFrom("Read", "Bash"),
    input: fc.constantFrom({ path: "é" }, "no json", null, [1]),
  }),
);

/** Small messages of every kind, including impossible orders. */
export const messages: fc.Arbitrary<readonly SessionMessage[]> = fc.array(
  fc.oneof(
    fc.record({ role: fc.constant("user" as const), text }),
    fc.record({
      role: fc.constant("assistant" as const),
      model: fc.constant("a/b"),
      parts: fc.array(part, { maxLength: 4 }),
    }),
    fc.record({
      role: fc.constant("tool" as const),
      results: fc.array(fc.record({ id, name: fc.constant("Read"), text, isError: fc.boolean() }), {
        maxLength: 4,
      }),
    }),
  ),
  { maxLength: 8 },
);

/** The records of a session file: a start, then messages mixed with other records. */
export const sessions: fc.Arbitrary<readonly SessionRecord[]> = fc
  .tuple(messages, fc.array(fc.constantFrom<NewRecord>(...others()), { maxLength: 4 }))
  .map(([said, between]) => {
    const records: SessionRecord[] = [start()];
    for (const [index, message] of said.entries()) {
      records.push({ type: "message", id: `m${index + 1}`, at: AT, message });
      const other = between[index];
      if (other !== undefined && other.type !== "message") records.push({ ...other, at: AT });
    }
    return records;
  });

/** A first line. */
export function start(): SessionRecord & { readonly type: "session-start" } {
  return {
    type: "session-start",
    v: 1,
    id: "20261116-171045-k3f9",
    at: AT,
    workspace: "/app",
    cwd: "/app",
    model: "a/b",
    version: "1.2.3",
    title: "é",
  };
}

function others(): readonly NewRecord[] {
  return [
    { type: "model", model: "c/d" },
    { type: "name", name: "naïve" },
    { type: "notice", sentence: "Saved." },
    { type: "subagent", agent: "count", number: 1, message: { role: "user", text: "Count." } },
    { type: "rewound", id: "r1", to: "m1", what: "both" },
    { type: "turn-end", outcome: "failed", sentence: "No." },
  ];
}
