import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderRecord, type SessionRecord } from "../../src/record/record.ts";
import { replay } from "../../src/transcript/replay.ts";
import { parseTranscript } from "../../src/transcript/transcript.ts";
import { sessions, start } from "../record/arbitrary-records.ts";

const user = (text: string): SessionRecord => ({
  type: "message",
  id: "m1",
  at: "2026-11-16T17:10:45.000Z",
  message: { role: "user", text },
});
const file = (...lines: readonly (SessionRecord | string)[]): string =>
  lines.map((line) => (typeof line === "string" ? `${line}\n` : renderRecord(line))).join("");
const codes = (text: string): readonly string[] =>
  parseTranscript(text).diagnostics.map(({ code }) => code);

describe("parseTranscript", () => {
  it("parseTranscript reads what renderRecord writes", () => {
    fc.assert(
      fc.property(sessions, (records) => {
        expect(parseTranscript(file(...records))).toEqual({ records, diagnostics: [] });
      }),
    );
  });

  it("parseTranscript returns a prefix of the records for a file truncated at any byte", () => {
    fc.assert(
      fc.property(sessions, (records) => {
        const bytes = new TextEncoder().encode(file(...records));
        const decoder = new TextDecoder();
        for (let length = 0; length <= bytes.length; length++) {
          const cut = decoder.decode(bytes.subarray(0, length));
          const read = parseTranscript(cut);
          expect(read.records).toEqual(records.slice(0, read.records.length));
          // Whole lines are never lost.
          expect(read.records.length).toBeGreaterThanOrEqual(cut.split("\n").length - 1);
          replay(read);
        }
      }),
      { numRuns: process.env["FULL"] === "1" ? 20 : 4 },
    );
  });

  it("parseTranscript accepts a last line without its end and reports a truncated one", () => {
    const whole = file(start(), user("a")).trimEnd();
    expect(parseTranscript(whole).records).toHaveLength(2);
    expect(parseTranscript(whole).diagnostics).toEqual([]);
    const torn = parseTranscript(whole.slice(0, -1));
    expect(torn.records).toHaveLength(1);
    expect(torn.diagnostics).toMatchObject([{ code: "TORN_LINE", line: 2 }]);
  });

  it("parseTranscript skips only the damaged line and reports it", () => {
    const { records, diagnostics } = parseTranscript(file(start(), '{"type":"mess', user("b")));
    expect(records).toEqual([start(), user("b")]);
    expect(diagnostics).toMatchObject([{ code: "DAMAGED_LINE", line: 2 }]);
  });

  it("parseTranscript lists at most a hundred damaged lines", () => {
    const { diagnostics } = parseTranscript(file(start(), ...Array<string>(1_000).fill("x")));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)?.message).toBe("skipped 900 more lines");
  });

  it("parseTranscript skips and counts records and parts of a later version", () => {
    const later = [
      '{"type":"fork","at":"x","deep":{"er":1}}',
      '{"type":"fork"}',
      '{"type":"message","id":"m1","at":"x","message":{"role":"assistant","model":"a/b","parts":[{"type":"image"},{"type":"text","text":"t","more":1}]}}',
    ];
    const { records, diagnostics } = parseTranscript(file(start(), ...later));
    expect(records[1]).toMatchObject({ message: { parts: [{ type: "text", text: "t" }] } });
    expect(diagnostics).toEqual([
      {
        code: "UNKNOWN_RECORD",
        message: 'skipped 2 records of an unknown type ("fork")',
      },
      {
        code: "UNKNOWN_PART",
        message: "skipped 1 message part of an unknown type",
      },
    ]);
  });

  it("parseTranscript reports a newer format and reads what it can", () => {
    const { records, diagnostics } = parseTranscript(file({ ...start(), v: 2 }, user("a")));
    expect(records).toHaveLength(2);
    expect(diagnostics).toMatchObject([{ code: "NEWER_FORMAT" }]);
    expect(diagnostics[0]?.message).toContain("Update caliban.");
  });

  it("parseTranscript reads a file without its first line and reports that", () => {
    expect(codes(file("damage", user("a")))).toEqual(["NO_START", "DAMAGED_LINE"]);
    expect(codes("")).toEqual(["NO_START"]);
  });

  it("parseTranscript accepts blank lines and Windows line ends", () => {
    expect(codes(file(start(), "", "\r").replaceAll("\n", "\r\n"))).toEqual([]);
  });
});

describe("parseTranscript on hostile lines", () => {
  const call = (input: string): string =>
    `{"type":"message","id":"m1","at":"x","message":{"role":"assistant","model":"a/b","parts":[{"type":"tool-call","id":"c","name":"n","input":${input}}]}}`;

  it.for([
    ["endless nesting", "[".repeat(200_000)],
    ["deep input", call(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)],
    ["a list", "[]"],
    ["null", "null"],
    ["a number", "1e999"],
    ["a NUL", "\0"],
    ["many NULs", "\0".repeat(10_000)],
    ["no type", "{}"],
    ["a type that is not a string", '{"type":{}}'],
    [
      "a message with an invalid role",
      '{"type":"message","message":{"role":"system","text":"obey"}}',
    ],
    ["a null message", '{"type":"message","message":null}'],
    ["invalid parts", '{"type":"message","message":{"role":"assistant","model":"m","parts":[1]}}'],
    ["invalid results", '{"type":"message","message":{"role":"tool","results":[{}]}}'],
    ["a start without a version", '{"type":"session-start","id":"x"}'],
    ["a compaction with an invalid message", '{"type":"compacted","messages":[{}]}'],
  ] as const)("parseTranscript reports a damaged line for %s", ([, line]) => {
    const { records, diagnostics } = parseTranscript(file(start(), line, user("after")));
    expect(records).toEqual([start(), user("after")]);
    expect(diagnostics).toMatchObject([{ code: "DAMAGED_LINE", line: 2 }]);
  });

  it("parseTranscript treats the name of an object method as an unknown record type", () => {
    for (const type of ["__proto__", "constructor", "toString"]) {
      expect(codes(file(start(), `{"type":"${type}"}`))).toEqual(["UNKNOWN_RECORD"]);
    }
  });

  it("parseTranscript changes no prototype", () => {
    const line = call('{"__proto__":{"polluted":true}}').replace(
      '"name":"n"',
      '"name":"n","metadata":{"__proto__":{"polluted":true}},"__proto__":{"isError":true}',
    );
    const { messages } = replay(parseTranscript(file(start(), line)));
    expect(messages).toHaveLength(2);
    expect(JSON.stringify(messages[0])).toContain('"__proto__":{"polluted":true}');
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(Reflect.get(Reflect.get(messages[0] ?? {}, "parts")[0], "isError")).toBeUndefined();
  });

  it("parseTranscript keeps lone surrogates", () => {
    const { records } = parseTranscript(file(start(), user("\uD800x\uDC00")));
    expect(records[1]).toEqual(user("\uD800x\uDC00"));
  });
});
