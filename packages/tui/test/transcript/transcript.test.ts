import type { AgentEvent } from "@caliban/agent-core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemsOfMessages } from "../../src/transcript/stored-items.ts";
import {
  EMPTY_TRANSCRIPT,
  reduceEvent,
  type Transcript,
  withItem,
} from "../../src/transcript/transcript.ts";

function after(...events: readonly AgentEvent[]): Transcript {
  return events.reduce(reduceEvent, EMPTY_TRANSCRIPT);
}

const STEP: AgentEvent = { type: "step-start", step: 1 };
const FAILURE = { code: "overloaded", sentence: "It is overloaded.", isTransient: true } as const;

describe("the transcript", () => {
  it("joins the pieces of an answer, and begins anew at each step", () => {
    const { items } = after(
      STEP,
      { type: "text-delta", text: "one " },
      { type: "text-delta", text: "two" },
      STEP,
      { type: "text-delta", text: "three" },
    );
    expect(items).toEqual([
      { kind: "answer", text: "one two" },
      { kind: "answer", text: "three" },
    ]);
  });

  it("shows what was put beside the person's words of what is remembered, now and later", () => {
    const note = "[Today is 2026-11-16.]\n[memory that may apply: a b — x; ports\u202E — y]";
    const message = { role: "user", text: "hi", note } as const;
    const line = {
      kind: "notice",
      tone: "plain",
      text: "memory that may apply: a b, ports\\u{202e}",
      isBeside: true,
    };
    expect(after({ type: "message", message }).items).toEqual([line]);
    expect(itemsOfMessages([message]).slice(0, 2)).toEqual([{ kind: "person", text: "hi" }, line]);
    const plain = { role: "user", text: "hi", note: "[Today is 2026-11-16.]" } as const;
    expect(after({ type: "message", message: plain }).items).toEqual([]);
  });

  it("says that nothing came also where something was put beside the person's words", () => {
    const asked = withItem(EMPTY_TRANSCRIPT, { kind: "person", text: "hi" });
    const message = { role: "user", text: "hi", note: "[memory that may apply: a — x]" } as const;
    const events: readonly AgentEvent[] = [
      { type: "message", message },
      STEP,
      { type: "turn-end", outcome: { kind: "done" } },
    ];
    expect(events.reduce(reduceEvent, asked).items.at(-1)).toMatchObject({
      text: "The model had nothing to say.",
    });
  });

  it("takes back what was shown of an answer that failed", () => {
    const { items } = after(
      STEP,
      { type: "text-delta", text: "first" },
      STEP,
      { type: "reasoning-delta", text: "hm" },
      { type: "text-delta", text: "half an ans" },
      { type: "retry", attempt: 1, delayMs: 2000, failure: FAILURE },
      { type: "text-delta", text: "whole" },
    );
    expect(items).toEqual([
      { kind: "answer", text: "first" },
      { kind: "notice", tone: "plain", text: "It is overloaded. Asking again in 2 s (attempt 2)." },
      { kind: "answer", text: "whole" },
    ]);
  });

  it("puts results to their calls, and the last call of an id counts", () => {
    const call = { type: "tool-call", id: "1", name: "Read", input: {} } as const;
    const result = {
      type: "tool-result",
      id: "1",
      name: "Read",
      isError: false,
      durationMs: 1,
    } as const;
    const { items } = after(call, { ...result, text: "a" }, call, { ...result, text: "b" });
    expect(items.map((item) => (item.kind === "tool" ? item.result?.text : ""))).toEqual([
      "a",
      "b",
    ]);
  });

  it("makes what a tool gave harmless", () => {
    const call = { type: "tool-call", id: "1", name: "Bash\u001B[2J", input: {} } as const;
    const text = "\u001B]0;owned\u0007\u009B31m\r\u202E";
    const result = { id: "1", name: "Bash", text, isError: false, durationMs: 1 };
    const { items } = after(call, { type: "tool-result", ...result });
    const safe = String.raw`\u{1b}]0;owned\u{7}\u{9b}31m\u{d}\u{202e}`;
    expect(items).toMatchObject([{ name: String.raw`Bash\u{1b}[2J`, result: { text: safe } }]);
  });

  it("shows a message that did not come piece by piece, and none twice", () => {
    const message = {
      role: "assistant",
      model: "x/y",
      parts: [{ type: "text", text: "whole" }],
    } as const;
    expect(after(STEP, { type: "message", message }).items).toEqual([
      { kind: "answer", text: "whole" },
    ]);
    const streamed = after(
      STEP,
      { type: "text-delta", text: "whole" },
      { type: "message", message },
    );
    expect(streamed.items).toHaveLength(1);
  });

  it("has our own model name commands as they are typed here, and leaves the words of others", () => {
    const text = "`caliban memory undo` takes it back";
    const shown = (model: string): readonly unknown[] => {
      const message = { role: "assistant", model, parts: [{ type: "text", text }] } as const;
      const streamed = after(STEP, { type: "text-delta", text }, { type: "message", message });
      return [...streamed.items, ...itemsOfMessages([message])];
    };
    const own = { kind: "answer", text: "`/memory undo` takes it back" };
    expect(shown("offline/rehearsal")).toEqual([own, own]);
    expect(shown("x/y")).toEqual([
      { kind: "answer", text },
      { kind: "answer", text },
    ]);
  });

  it.each([
    [{ kind: "interrupted" }, "Interrupted"],
    [{ kind: "step-limit", maxSteps: 7 }, "Stopped after 7 steps."],
    [{ kind: "step-limit", maxSteps: 1 }, "Stopped after 1 step."],
    [{ kind: "refused", sentence: "It would not." }, "It would not."],
    [{ kind: "failed", failure: FAILURE }, "It is overloaded."],
  ] as const)("says how a turn ended: %j", (outcome, words) => {
    const { items } = after({ type: "turn-end", outcome });
    expect(items).toMatchObject([{ kind: "notice", text: expect.stringContaining(words) }]);
  });

  it("marks calls that were never answered, and says when nothing came at all", () => {
    const { items } = after(
      { type: "tool-call", id: "1", name: "Bash", input: {} },
      { type: "turn-end", outcome: { kind: "interrupted" } },
    );
    expect(items[0]).toMatchObject({ result: { text: "interrupted", isError: true } });
    const asked: Transcript = { items: [{ kind: "person", text: "hello" }], stepStart: 1 };
    const unanswered = reduceEvent(asked, { type: "turn-end", outcome: { kind: "done" } });
    expect(unanswered.items.at(-1)).toMatchObject({ text: "The model had nothing to say." });
  });

  it("holds no control characters, however the pieces are cut", () => {
    const piece = fc.string({
      unit: fc.constantFrom("\u001B", "]", "0", ";", "\u0007", "\u009B", "a", "\r", "\u202E"),
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const { items } = after(
          STEP,
          ...pieces.map((text) => ({ type: "text-delta", text }) as const),
        );
        const shown = items.map((item) => ("text" in item ? item.text : "")).join("");
        for (const evil of ["\u001B", "\u0007", "\u009B", "\r", "\u202E"]) {
          expect(shown).not.toContain(evil);
        }
      }),
    );
  });
});

describe("a resumed conversation", () => {
  it("shows its last messages, names the rest, and makes all of it harmless", () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => ({ role: "user", text: `m${index}` }) as const,
    );
    const items = itemsOfMessages(many);
    expect(items).toHaveLength(52);
    expect(items[0]).toMatchObject({ text: expect.stringContaining("10 earlier messages") });
    expect(items.at(-2)).toEqual({ kind: "person", text: "m59" });
    expect(items.at(-1)).toMatchObject({ text: expect.stringContaining("before an answer") });
    const evil = "\u001B[2J";
    const hostile = itemsOfMessages([
      { role: "user", text: evil },
      {
        role: "assistant",
        model: "x/y",
        parts: [
          { type: "reasoning", text: evil },
          { type: "text", text: evil },
          { type: "tool-call", id: "1", name: `N${evil}`, input: {} },
        ],
      },
      { role: "tool", results: [{ id: "1", name: "N", text: evil, isError: false }] },
    ]);
    expect(hostile.map(({ kind }) => kind)).toEqual([
      "person",
      "thought",
      "answer",
      "tool",
      "notice",
    ]);
    const answered = itemsOfMessages([
      { role: "user", text: "hi" },
      { role: "assistant", model: "x/y", parts: [{ type: "text", text: "ho" }] },
    ]);
    expect(answered.map(({ kind }) => kind)).toEqual(["person", "answer"]);
    expect(JSON.stringify(hostile)).not.toContain(String.raw`\u001b`);
  });
});
