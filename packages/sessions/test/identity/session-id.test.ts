import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createSessionId,
  idsMatching,
  isSessionId,
  parseSessionId,
  sessionFileName,
  sessionIdOfFile,
} from "../../src/identity/session-id.ts";

describe("a session id", () => {
  it("createSessionId uses the time in UTC and four random characters", () => {
    const at = Date.parse("2026-11-16T17:10:45.999Z");
    const numbers = [0.56, 0.1, 0.42, 0.999].values();
    expect(createSessionId(at, () => numbers.next().value ?? 0)).toBe("20261116-171045-k3fz");
  });

  it("session ids sort by time and survive a round trip through a file name", () => {
    const seconds = fc.integer({ min: 0, max: 4_102_444_799 });
    fc.assert(
      fc.property(
        seconds,
        seconds,
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (a, b, r) => {
          const [first, second] = [a, b].map((time) => createSessionId(time * 1000, () => r));
          if (first === undefined || second === undefined) return;
          expect(first < second).toBe(a < b);
          expect(sessionIdOfFile(sessionFileName(first))).toBe(first);
        },
      ),
    );
  });

  it.for([
    "",
    "..",
    "../20261116-171045-k3f9",
    "20261116-171045-k3f9/..",
    "20261116-171045-k3f9\n",
    "20261116-171045-K3F9",
    "20261116-171045-k3f9.jsonl",
    "20261116-171045-k3f",
    "２0261116-171045-k3f9",
    "a\0b",
  ])("parseSessionId rejects %j", (text) => {
    expect(isSessionId(text)).toBe(false);
    expect(() => parseSessionId(text)).toThrow(expect.objectContaining({ code: "INVALID_ID" }));
  });

  it("sessionIdOfFile ignores other files", () => {
    const id = "20261116-171045-k3f9";
    for (const name of [`${id}.jsonl.lock`, `${id}.json`, `.${id}.jsonl`, "notes.jsonl", id]) {
      expect(sessionIdOfFile(name)).toBeUndefined();
    }
  });

  it("idsMatching treats the text literally", () => {
    const ids = ["20261116-171045-k3f9", "20261117-000000-aaaa"].map(parseSessionId);
    expect(idsMatching(ids, "20261116")).toEqual([ids[0]]);
    expect(idsMatching(ids, "202611")).toEqual(ids);
    expect(idsMatching(ids, "k3f9")).toEqual([ids[0]]);
    expect(idsMatching(ids, "1045")).toEqual([ids[0]]);
    // The beginning of one id wins over the middle of another.
    expect(idsMatching(ids, "20261117-0")).toEqual([ids[1]]);
    for (const none of ["", ".*", "../2", "k3f8"]) expect(idsMatching(ids, none)).toEqual([]);
  });
});
