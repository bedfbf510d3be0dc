import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/record/parse-message.ts";
import { readMessages, type TranscriptFormat } from "../../src/readers/transcript-reader.ts";

const FORMATS: readonly TranscriptFormat[] = ["caliban", "claude", "codex"];

// Unexpected values in records that look valid at first.
const value = fc.constantFrom<unknown>(
  null,
  0,
  "",
  "a",
  true,
  [],
  [null],
  {},
  { type: "text" },
  { type: "text", text: "a" },
  { type: "tool_use", id: 1 },
  { type: "tool_result", tool_use_id: "a", content: [[]] },
  { role: "user", content: [{}] },
  { role: "user", text: 1 },
  { Ok: { content: {} } },
);
const kind = fc.constantFrom(
  "user",
  "assistant",
  "attachment",
  "session-start",
  "message",
  "compacted",
  "resumed",
  "response_item",
  "session_meta",
  "turn_context",
  "function_call",
  "function_call_output",
  "mcp_tool_call_output",
  "local_shell_call",
  "__proto__",
  "constructor",
);
const key = fc.constantFrom(
  "message",
  "messages",
  "payload",
  "content",
  "role",
  "id",
  "call_id",
  "output",
  "result",
  "arguments",
  "origin",
  "attachment",
  "source",
  "cwd",
  "carried",
  "learn",
  "__proto__",
);
const flat = fc
  .tuple(kind, fc.dictionary(key, value, { maxKeys: 4 }))
  .map(([type, fields]) => Object.assign(fields, { type }));
const record = fc.oneof(
  flat,
  flat.map((payload) => ({ type: "response_item", payload })),
);
const line = fc.oneof(
  record.map((each) => JSON.stringify(each)),
  record.map((each) => JSON.stringify(each).slice(0, -2)),
  fc.constantFrom("", " ", "null", "\0", "\uD800", "[[[[", '{"type":', "é".repeat(3)),
);

describe.for(FORMATS)("the reader of %s", (format) => {
  it(`the ${format} reader accepts any lines and returns valid messages`, () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const { messages } = readMessages(lines.join("\n"), format);
        const kept: unknown = JSON.parse(JSON.stringify(messages));
        expect(kept).toEqual(messages.map((message) => parseMessage(message)?.message));
      }),
      { numRuns: 500 },
    );
  });

  it(`the ${format} reader accepts endless nesting`, () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const lines = [deep, `{"type":"user","message":{"content":${deep}}}`, `{"payload":${deep}}`];
    expect(readMessages(lines.join("\n"), format).messages).toEqual([]);
  });
});
