import { expect, it } from "vitest";
import { readMessages } from "../../src/readers/transcript-reader.ts";
import { renderRecord, type SessionRecord } from "../../src/record/record.ts";
import { start } from "../record/arbitrary-records.ts";

const AT = "2026-11-16T17:10:45.000Z";
const said = (text: string, id: string): SessionRecord => ({
  type: "message",
  id,
  at: AT,
  message: { role: "user", text },
});
const read = (...records: readonly SessionRecord[]) =>
  readMessages(records.map(renderRecord).join(""), "caliban");

it("the caliban reader returns messages and calls without reasoning, usage and notes", () => {
  const { messages, facts } = read(
    start(),
    { type: "message", id: "m1", at: AT, message: { role: "user", text: "a", note: "The date." } },
    {
      type: "message",
      id: "m2",
      at: AT,
      message: {
        role: "assistant",
        model: "a/b",
        parts: [
          { type: "reasoning", text: "hm", metadata: { p: { signature: "s" } } },
          { type: "text", text: "b", metadata: { p: {} } },
          { type: "tool-call", id: "c1", name: "Bash", input: { command: "ls" } },
        ],
        usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 },
        cut: "length",
      },
    },
    {
      type: "message",
      id: "m3",
      at: AT,
      message: { role: "tool", results: [{ id: "c1", name: "Bash", text: "x", isError: true }] },
    },
  );
  expect(messages).toEqual([
    { role: "user", text: "a" },
    {
      role: "assistant",
      model: "a/b",
      parts: [
        { type: "text", text: "b" },
        { type: "tool-call", id: "c1", name: "Bash", input: { command: "ls" } },
      ],
      cut: "length",
    },
    { role: "tool", results: [{ id: "c1", name: "Bash", text: "x", isError: true }] },
  ]);
  expect(facts).toMatchObject({ sessionId: start().id, cwd: "/app", startedAt: AT });
});

it("the caliban reader returns the messages before a summary but not the summary", () => {
  const { messages } = read(
    start(),
    said("a", "m1"),
    { type: "compacted", at: AT, messages: [{ role: "user", text: "a summary of a" }] },
    said("b", "m2"),
  );
  expect(messages.map((message) => Reflect.get(message, "text"))).toEqual(["a", "b"]);
});

it("the caliban reader skips copied messages of a continued session, even if one was lost", () => {
  const first = { ...start(), continues: "20261115-090000-a1b2", carried: 2 };
  const { messages } = read(first, said("copy", "m2"), said("new", "m3"), said("odd", "x"));
  expect(messages.map((message) => Reflect.get(message, "text"))).toEqual(["new", "odd"]);
});

it.for<readonly [boolean, readonly SessionRecord[]]>([
  [false, [start()]],
  [true, [{ ...start(), learn: false }]],
  [true, [start(), { type: "resumed", at: AT, cwd: "", model: "", version: "", learn: false }]],
  [
    true,
    [
      { ...start(), learn: false },
      { type: "resumed", at: AT, cwd: "", model: "", version: "" },
    ],
  ],
])(
  "the caliban reader reports an opt-out (%s) when any process opted out",
  ([optedOut, records]) => {
    expect(read(...records).facts.optedOut).toBe(optedOut);
  },
);

it("the caliban reader counts what it cannot read", () => {
  const { messages, facts } = readMessages('{"type":"dream"}\n???\n{"type":"mess', "caliban");
  expect(messages).toEqual([]);
  expect(facts.skipped).toEqual({
    damagedLines: 2,
    longLines: 0,
    unknownRecords: 1,
    unknownParts: 0,
  });
});

it("the caliban reader returns attachments and texts of hooks as results, because others wrote them", () => {
  const image = { mediaType: "image/png", width: 1, height: 1, data: "AA==" };
  const { messages } = read(start(), {
    type: "message",
    id: "m1",
    at: AT,
    message: {
      role: "user",
      text: "see @a.md",
      note: 'The date.\n<hook-output origin="hook" name="x" event="UserPromptSubmit">\nhooked\n</hook-output>',
      attachments: [
        { type: "text", path: "a.md", text: "1\tattached", size: "1 line", tool: "Read" },
        { type: "image", name: "b.png", image },
      ],
    },
  });
  expect(messages.filter(({ role }) => role === "user")).toEqual([
    { role: "user", text: "see @a.md" },
  ]);
  const results = messages.flatMap((each) => (each.role === "tool" ? each.results : []));
  expect(results.map(({ name, text }) => [name, text])).toEqual([
    ["Read", "1\tattached"],
    ["image", "b.png"],
    ["hook", '<hook-output origin="hook" name="hook" event="any">\nhooked\n</hook-output>'],
  ]);
});
