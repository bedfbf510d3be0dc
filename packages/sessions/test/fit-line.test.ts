import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fittingJson, MAX_LINE_BYTES } from "../src/fit-line.ts";
import { renderRecord, type SessionRecord } from "../src/record.ts";
import { replay } from "../src/replay.ts";
import { parseTranscript } from "../src/transcript.ts";

const MIB = 1024 * 1024;

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

describe("a record", () => {
  it.for([
    ["plain", "x", 33 * MIB],
    ["wide", "世", 11 * MIB],
    ["escaped", "\u0001", 6 * MIB],
    ["of pairs", "🌍", 9 * MIB],
  ] as const)(
    "with a text too long for a reader, %s, is read again with its head",
    ([, unit, count]) => {
      const line = renderRecord(record(unit.repeat(count)));
      expect(bytesOf(line)).toBeLessThanOrEqual(MAX_LINE_BYTES + 1);
      const text = lastText(line);
      expect(text.startsWith(unit.repeat(MIB / 2))).toBe(true);
      expect(text).toMatch(/\n\[cut here when the session was saved: \d+ more characters\]$/);
    },
  );

  it("is not cut in the middle of a character", () => {
    const text = lastText(renderRecord(record(`a${"🌍".repeat(9 * MIB)}`)));
    expect(text).toContain("[cut here");
    expect(text.isWellFormed()).toBe(true);
  });

  it("that just fits is written whole", () => {
    const room = MAX_LINE_BYTES - bytesOf(JSON.stringify(record("")));
    const text = "x".repeat(room);
    expect(renderRecord(record(text))).toBe(`${JSON.stringify(record(text))}\n`);
    expect(lastText(renderRecord(record(`${text}x`)))).toContain("[cut here");
  });

  it("that stays too long is replaced by a word about it", () => {
    const input = { ["name".repeat(9 * MIB)]: 1 };
    const part = { type: "tool-call", id: "c1", name: "Read", input } as const;
    const message = { role: "assistant", model: "a/b", parts: [part] } as const;
    expect(JSON.parse(renderRecord({ type: "message", id: "m1", at: "now", message }))).toEqual({
      type: "notice",
      at: "now",
      sentence: "a message was too long to be saved",
    });
  });
});

describe("JSON that has to fit", () => {
  it("is whole or fits, whatever texts it is made of", () => {
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
