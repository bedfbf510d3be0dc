import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairToolCalls } from "../../src/transcript/repair-tool-calls.ts";
import type { SessionRecord } from "../../src/record/record.ts";
import { replay } from "../../src/transcript/replay.ts";
import type { SessionMessage, SessionPart } from "../../src/record/session-message.ts";
import { messages, start } from "../record/arbitrary-records.ts";

const AT = "2026-11-16T17:10:45.000Z";
const record = (message: SessionMessage, id = "m1"): SessionRecord => ({
  type: "message",
  id,
  at: AT,
  message,
});
const user = (text: string): SessionMessage => ({ role: "user", text });
const call = (id: string, name = "Read"): SessionPart => ({
  type: "tool-call",
  id,
  name,
  input: {},
});
const assistant = (...parts: readonly SessionPart[]): SessionMessage => ({
  role: "assistant",
  model: "a/b",
  parts,
});
const result = (id: string, text = "ok") => ({ id, name: "Read", text, isError: false });
const tool = (...results: readonly ReturnType<typeof result>[]): SessionMessage => ({
  role: "tool",
  results,
});

describe("replay", () => {
  it("replay returns the conversation with the latest name and model", () => {
    const session = replay({
      records: [
        { ...start(), name: "first" },
        record(user("a")),
        { type: "model", at: AT, model: "c/d" },
        { type: "name", at: AT, name: "second" },
        { type: "turn-end", at: AT, outcome: "done", name: "second" },
        record(assistant({ type: "text", text: "b" }), "m7"),
      ],
      diagnostics: [],
    });
    expect(session).toEqual({
      start: { ...start(), name: "first" },
      name: "second",
      learn: true,
      model: "c/d",
      messages: [user("a"), assistant({ type: "text", text: "b" })],
      messageCount: 7,
      exchangeCount: 1,
      diagnostics: [],
    });
  });

  it("replay replaces everything before the last summary", () => {
    const { messages: kept, messageCount } = replay({
      records: [
        start(),
        record(user("one")),
        { type: "compacted", at: AT, messages: [user("summary one")] },
        record(user("two")),
        { type: "compacted", at: AT, messages: [user("summary two"), user("kept")] },
        record(user("three")),
      ],
      diagnostics: [],
    });
    expect(kept).toEqual([user("summary two"), user("kept"), user("three")]);
    expect(messageCount).toBe(3);
  });

  it("replay adds an error result to a call that was running when the process was killed", () => {
    const { messages: repaired, diagnostics } = replay({
      records: [start(), record(user("a")), record(assistant(call("c1"), call("c2", "Bash")))],
      diagnostics: [],
    });
    expect(repaired.slice(2)).toEqual([
      {
        role: "tool",
        results: [
          {
            id: "c1",
            name: "Read",
            text: "Read was interrupted before it finished; it is unknown whether it had any effect.",
            isError: true,
          },
          {
            id: "c2",
            name: "Bash",
            text: "Bash was interrupted before it finished; it is unknown whether it had any effect.",
            isError: true,
          },
        ],
      },
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["UNFINISHED_CALL", "UNFINISHED_CALL"]);
  });

  it("repairToolCalls adds a missing result in the middle of a conversation", () => {
    const said = [assistant(call("c1"), call("c2")), tool(result("c2")), user("go on")];
    const { messages: repaired } = repairToolCalls(said);
    expect(repaired).toMatchObject([
      { role: "assistant" },
      {
        role: "tool",
        results: [
          { id: "c1", isError: true },
          { id: "c2", isError: false },
        ],
      },
      { role: "user" },
    ]);
  });

  it("repairToolCalls drops and reports stray results, second results and second calls", () => {
    const { messages: repaired, diagnostics } = repairToolCalls([
      tool(result("c0")),
      assistant(call("c1"), call("c1")),
      tool(result("c1", "first"), result("c1", "second"), result("c9")),
      tool(result("c1", "third")),
      user("a"),
    ]);
    expect(repaired).toEqual([assistant(call("c1")), tool(result("c1", "first")), user("a")]);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "STRAY_RESULT",
      "REPEATED_CALL",
      "STRAY_RESULT",
      "STRAY_RESULT",
      "STRAY_RESULT",
    ]);
  });

  it("repairToolCalls keeps calls apart that reuse an id in a later step", () => {
    const said = [
      assistant(call("c1")),
      tool(result("c1", "one")),
      assistant(call("c1")),
      tool(result("c1", "two")),
    ];
    expect(repairToolCalls(said)).toEqual({ messages: said, diagnostics: [] });
  });

  it("repairToolCalls handles hundreds of thousands of results", () => {
    const many = Array.from({ length: 200_000 }, (_, index) => result(`c${index}`));
    expect(
      repairToolCalls([user("a"), tool(...many.slice(0, 1)), { role: "tool", results: many }])
        .messages,
    ).toEqual([user("a")]);
    const repaired = repairToolCalls([assistant(call("c1")), { role: "tool", results: many }]);
    expect(repaired.messages[1]).toEqual(tool(result("c1")));
  });

  it("repairToolCalls gives every call exactly one result and is idempotent", () => {
    fc.assert(
      fc.property(messages, (said) => {
        const once = repairToolCalls(said);
        expect(flawsOf(once.messages)).toEqual([]);
        expect(repairToolCalls(once.messages)).toEqual({
          messages: once.messages,
          diagnostics: [],
        });
        const userMessages = (list: readonly SessionMessage[]) =>
          list.filter(({ role }) => role === "user");
        expect(userMessages(once.messages)).toEqual(userMessages(said));
      }),
    );
  });
});

/** The indexes of calls without exactly one result after them, and of results without a call before them. */
function flawsOf(said: readonly SessionMessage[]): readonly number[] {
  return said.flatMap((message, index) => {
    if (message.role === "tool") return said[index - 1]?.role === "assistant" ? [] : [index];
    if (message.role === "user") return [];
    const calls = message.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
    const next = said[index + 1];
    const results = next?.role === "tool" ? next.results.map(({ id }) => id) : [];
    const isWhole = calls.join() === results.join() && new Set(calls).size === calls.length;
    return isWhole ? [] : [index];
  });
}
