import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fittingJson, MAX_LINE_BYTES } from "../../src/record/fit-line.ts";
import { renderRecord, type SessionRecord } from "../../src/record/record.ts";
import { replay } from "../../src/transcript/replay.ts";
import { parseTranscript } from "../../src/transcript/transcript.ts";

const MIB = 1024 * 1024;
const LIMIT = 300_000;
const TRUNCATED = /\n\[cut here when the session was saved: \d+ more characters\]$/;

const record = (text: string): SessionRecord => ({
  type: "message",
  id: "m1",
  at: "2026-11-16T17:10:45.000Z",
  message: { role: "assistant", model: "a/b", parts: [{ type: "text", text }] },
});
const bytesOf = (line: string): number => Buffer.byteLength(line);
const lastText = (line: string): string => {
  const [message] = replay(parseTranscript(line)).messages;
  const [part] = message?.role === "assistant" ? message.parts : [];
  return part?.type === "text" ? part.text : "";
};

describe("renderRecord", () => {
  it("renderRecord truncates a text so that the line can be read again", () => {
    const line = renderRecord(record("x".repeat(33 * MIB)));
    expect(bytesOf(line)).toBeLessThanOrEqual(MAX_LINE_BYTES + 1);
    expect(lastText(line)).toMatch(TRUNCATED);
  });

  it("renderRecord replaces a record by a notice when it stays too long", () => {
    const input = { ["name".repeat(9 * MIB)]: 1 };
    const part = { type: "tool-call", id: "c1", name: "Read", input } as const;
    const message = { role: "assistant", model: "a/b", parts: [part] } as const;
    expect(JSON.parse(renderRecord({ type: "message", id: "m1", at: "now", message }))).toEqual({
      type: "notice",
      at: "now",
      sentence: "a message was too long to save",
    });
  });
});

describe("fittingJson", () => {
  it.for([
    ["plain", "x"],
    ["wide", "世"],
    ["escaped", "\u0001"],
    ["surrogate pairs", "🌍"],
  ] as const)("fittingJson keeps the beginning of a text that is too long: %s", ([, unit]) => {
    const json = fittingJson(record(`a${unit.repeat(400_000)}`), LIMIT) ?? "";
    expect(bytesOf(json)).toBeLessThanOrEqual(LIMIT);
    const text = lastText(`${json}\n`);
    expect(text.startsWith(`a${unit.repeat(500)}`)).toBe(true);
    expect(text).toMatch(TRUNCATED);
    expect(text.isWellFormed()).toBe(true);
  });

  it("fittingJson returns a value whole that just fits", () => {
    const text = "x".repeat(LIMIT - bytesOf(JSON.stringify(record(""))));
    expect(fittingJson(record(text), LIMIT)).toBe(JSON.stringify(record(text)));
    expect(fittingJson(record(`${text}x`), LIMIT)).toContain("[cut here");
  });

  it("fittingJson returns the whole JSON or fits the limit", () => {
    const text = fc
      .tuple(fc.constantFrom("a", "é", "世", "🌍", "\n", '"', "\uD800"), fc.nat(3000))
      .map(([unit, count]) => unit.repeat(count));
    const limit = fc.constantFrom(1100, 4000, 9000);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), limit, (texts, maxBytes) => {
        const whole = JSON.stringify(texts);
        const json = fittingJson(texts, maxBytes);
        const isShort = bytesOf(whole) <= maxBytes;
        expect(json === whole).toBe(isShort);
        expect(bytesOf(json ?? "")).toBeLessThanOrEqual(maxBytes);
        expect(JSON.parse(json ?? whole)).toHaveLength(texts.length);
      }),
    );
  });
});
