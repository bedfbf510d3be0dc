import type { AgentEvent } from "@caliban/agent-core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemsOfMessages } from "../../src/transcript/stored-items.ts";
import {
  EMPTY_TRANSCRIPT,
  NO_SHOWN_MEMORY,
  type ShownMemory,
  reduceEvent,
  type Transcript,
  withItem,
} from "../../src/transcript/transcript.ts";

function reduceAll(
  start: Transcript,
  events: readonly AgentEvent[],
  memory: ShownMemory = NO_SHOWN_MEMORY,
): Transcript {
  return events.reduce((transcript, event) => reduceEvent(transcript, event, memory), start);
}

function after(...events: readonly AgentEvent[]): Transcript {
  return reduceAll(EMPTY_TRANSCRIPT, events);
}

const STEP: AgentEvent = { type: "step-start", step: 1 };
const FAILURE = { code: "overloaded", message: "It is overloaded.", isTransient: true } as const;

describe("the transcript", () => {
  it("joins the chunks of an answer, and starts a new one with each step", () => {
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

  const RECALLING: ShownMemory = {
    ...NO_SHOWN_MEMORY,
    inNote: (note) => (note === "recall" ? ["a b", "ports\u202E"] : []),
  };

  it("shows the topics that were added to a message, live and when resumed", () => {
    const message = { role: "user", text: "hi", note: "recall" } as const;
    const line = {
      kind: "notice",
      tone: "plain",
      text: "recalled from memory: a b, ports\\u{202e}",
      isAttached: true,
    };
    const live = reduceAll(EMPTY_TRANSCRIPT, [{ type: "message", message }], RECALLING);
    expect(live.items).toEqual([line]);
    const resumed = itemsOfMessages([message], RECALLING);
    expect(resumed.slice(0, 2)).toEqual([{ kind: "user", text: "hi" }, line]);
    const plain = { role: "user", text: "hi", note: "[Today is 2026-11-16.]" } as const;
    expect(
      reduceAll(EMPTY_TRANSCRIPT, [{ type: "message", message: plain }], RECALLING).items,
    ).toEqual([]);
  });

  it("shows where the memory in a result comes from, and the result without it, live and when resumed", () => {
    const memory: ShownMemory = {
      ...NO_SHOWN_MEMORY,
      inResult: (text) => ({ text: text.replace(" note", ""), sources: ["topic deploy\u202E"] }),
    };
    const call = { type: "tool-call", id: "1", name: "Bash", input: {} } as const;
    const answer = { id: "1", name: "Bash", text: "Exit code 0. note", isError: false };
    const shown = { text: "Exit code 0.", isError: false, memory: ["topic deploy\\u{202e}"] };
    const live = reduceAll(
      EMPTY_TRANSCRIPT,
      [call, { type: "tool-result", ...answer, durationMs: 1 }],
      memory,
    );
    expect(live.items).toMatchObject([{ kind: "tool", result: shown }]);
    const resumed = itemsOfMessages(
      [
        { role: "assistant", model: "m", parts: [call] },
        { role: "tool", results: [answer] },
      ],
      memory,
    );
    expect(resumed[0]).toMatchObject({ kind: "tool", result: shown });
  });

  it("reports an empty answer to a message that topics were added to", () => {
    const sent = withItem(EMPTY_TRANSCRIPT, { kind: "user", text: "hi" });
    const message = { role: "user", text: "hi", note: "recall" } as const;
    const events: readonly AgentEvent[] = [
      { type: "message", message },
      STEP,
      { type: "turn-end", outcome: { kind: "done" } },
    ];
    expect(reduceAll(sent, events, RECALLING).items.at(-1)).toMatchObject({
      text: "The model returned an empty answer.",
    });
  });

  it("removes the partial text of an answer that failed", () => {
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
      { kind: "notice", tone: "plain", text: "It is overloaded. Retrying in 2 s (attempt 2)." },
      { kind: "answer", text: "whole" },
    ]);
  });

  it("adds a result to the last call with its id", () => {
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

  it("escapes control characters in the result of a tool", () => {
    const call = { type: "tool-call", id: "1", name: "Bash\u001B[2J", input: {} } as const;
    const text = "\u001B]0;owned\u0007\u009B31m\r\u202E";
    const result = { id: "1", name: "Bash", text, isError: false, durationMs: 1 };
    const { items } = after(call, { type: "tool-result", ...result });
    const safe = String.raw`\u{1b}]0;owned\u{7}\u{9b}31m\u{d}\u{202e}`;
    expect(items).toMatchObject([{ name: String.raw`Bash\u{1b}[2J`, result: { text: safe } }]);
  });

  it("shows a message that was not streamed, and shows none twice", () => {
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

  it.each([
    [{ kind: "interrupted" }, "Interrupted"],
    [{ kind: "step-limit", maxSteps: 7 }, "Stopped after 7 steps."],
    [{ kind: "step-limit", maxSteps: 1 }, "Stopped after 1 step."],
    [{ kind: "budget", message: "Too expensive." }, "Too expensive."],
    [{ kind: "refused", message: "It would not." }, "It would not."],
    [{ kind: "failed", failure: FAILURE }, "It is overloaded."],
  ] as const)("reports how a turn ended: %j", (outcome, text) => {
    const { items } = after({ type: "turn-end", outcome });
    expect(items).toMatchObject([{ kind: "notice", text: expect.stringContaining(text) }]);
  });

  it("marks calls without a result as interrupted, and reports an empty answer", () => {
    const { items } = after(
      { type: "tool-call", id: "1", name: "Bash", input: {} },
      { type: "turn-end", outcome: { kind: "interrupted" } },
    );
    expect(items[0]).toMatchObject({ result: { text: "interrupted", isError: true } });
    const sent: Transcript = { items: [{ kind: "user", text: "hello" }], stepStart: 1 };
    const unanswered = reduceAll(sent, [{ type: "turn-end", outcome: { kind: "done" } }]);
    expect(unanswered.items.at(-1)).toMatchObject({ text: "The model returned an empty answer." });
  });

  it("contains no control characters, however the text is split", () => {
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
  it("shows its last messages, counts the rest, and escapes all of it", () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => ({ role: "user", text: `m${index}` }) as const,
    );
    const items = itemsOfMessages(many);
    expect(items).toHaveLength(52);
    expect(items[0]).toMatchObject({ text: expect.stringContaining("10 earlier messages") });
    expect(items.at(-2)).toEqual({ kind: "user", text: "m59" });
    expect(items.at(-1)).toMatchObject({
      text: expect.stringContaining("before the agent answered"),
    });
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
      "user",
      "thought",
      "answer",
      "tool",
      "notice",
    ]);
    const answered = itemsOfMessages([
      { role: "user", text: "hi" },
      { role: "assistant", model: "x/y", parts: [{ type: "text", text: "ho" }] },
    ]);
    expect(answered.map(({ kind }) => kind)).toEqual(["user", "answer"]);
    expect(JSON.stringify(hostile)).not.toContain(String.raw`\u001b`);
  });
});
