import { utf8Bytes } from "@caliban/common";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExtraction } from "../../src/extraction/parse-extraction.ts";
import { slugOf } from "../../src/extraction/rollout-slug.ts";

const answer = { rollout_summary: "They fixed it.", rollout_slug: "fix-it", raw_memory: "- a" };
const without = (key: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(answer).filter(([name]) => name !== key)));
const messageOf = (text: string): string => {
  const parsed = parseExtraction(text);
  return parsed.kind === "problem" ? parsed.message : "no problem";
};

describe("parseExtraction", () => {
  it("parses an answer about a session", () => {
    expect(parseExtraction(JSON.stringify(answer))).toEqual({
      kind: "extraction",
      extraction: { rolloutSummary: "They fixed it.", rolloutSlug: "fix-it", rawMemory: "- a" },
    });
  });

  it("accepts extra keys and a null slug", () => {
    const text = JSON.stringify({ ...answer, rollout_slug: null, mood: "good" });
    expect(parseExtraction(text)).toMatchObject({
      kind: "extraction",
      extraction: { rolloutSlug: undefined, rawMemory: "- a" },
    });
  });

  it.for(["", " \n"])("treats the memory %j as nothing durable", (rawMemory) => {
    const text = JSON.stringify({ ...answer, raw_memory: rawMemory });
    expect(parseExtraction(text)).toEqual({
      kind: "extraction",
      extraction: { rolloutSummary: "", rolloutSlug: undefined, rawMemory: "" },
    });
  });

  it.for([
    [without("rollout_summary"), "rollout_summary is missing"],
    [without("rollout_slug"), "rollout_slug is missing"],
    [without("raw_memory"), "raw_memory is missing"],
    [
      '{"__proto__":{"raw_memory":"a"},"rollout_summary":"","rollout_slug":null}',
      "raw_memory is missing",
    ],
    [JSON.stringify({ ...answer, raw_memory: ["a"] }), "raw_memory is not a string"],
    [JSON.stringify({ ...answer, rollout_summary: null }), "rollout_summary is not a string"],
    [JSON.stringify({ ...answer, rollout_slug: 7 }), "rollout_slug is neither a string nor null"],
    [JSON.stringify(answer).slice(0, -5), "the answer is truncated"],
    ["[]", "the answer is JSON, but not an object"],
    [" \n", "the answer is empty"],
    ["I'm sorry, no.", "the answer is not JSON; it starts with “I'm sorry, no.”"],
  ] as const)("rejects %j: %s", ([text, message]) => {
    expect(messageOf(text)).toBe(message);
  });

  it("rejects an answer over a mebibyte and reports its size", () => {
    const text = JSON.stringify({ ...answer, raw_memory: "ä".repeat(600_000) });
    expect(messageOf(text)).toMatch(
      /^the answer is too long: 1,200,\d{3} bytes, the maximum is 1,048,576$/,
    );
  });

  it("parses an answer of exactly one mebibyte", () => {
    const length = 1024 * 1024 - JSON.stringify({ ...answer, raw_memory: "" }).length;
    const text = JSON.stringify({ ...answer, raw_memory: "a".repeat(length) });
    expect(messageOf(text)).toBe("no problem");
    expect(messageOf(`${text} `)).toMatch(/^the answer is too long: 1,048,577 bytes/);
  });

  it("truncates long texts at a line end and marks the omission", () => {
    const line = `- ${"ä".repeat(500)}\n`;
    const text = JSON.stringify({
      ...answer,
      raw_memory: line.repeat(100),
      rollout_summary: line.repeat(20),
    });
    const rest = "(The rest is omitted because it is too long.)";
    expect(parseExtraction(text)).toEqual({
      kind: "extraction",
      extraction: {
        rolloutSlug: "fix-it",
        rawMemory: `${line.repeat(32)}${rest}`,
        rolloutSummary: `${line.repeat(8)}${rest}`,
      },
    });
  });

  it.for([
    ["raw_memory", "rawMemory", 32],
    ["rollout_summary", "rolloutSummary", 8],
  ] as const)("limits %s even if it is a single line", ([key, name, kibibytes]) => {
    const limit = kibibytes * 1024;
    const lengthOf = (text: string): number => {
      const parsed = parseExtraction(JSON.stringify({ ...answer, [key]: text }));
      return parsed.kind === "extraction" ? utf8Bytes(parsed.extraction[name]) : 0;
    };
    expect(lengthOf("x".repeat(limit))).toBe(limit);
    expect(lengthOf("x".repeat(limit + 1))).toBe(limit);
    expect(lengthOf("😀".repeat(limit))).toBeLessThanOrEqual(limit);
  });

  it("quotes an answer that is not JSON on one short line without control characters", () => {
    const message = messageOf(`\u001b[2J\u202e\n${"\u0007".repeat(200)}`);
    expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(/“(.*)”/.exec(message)?.[1]?.length).toBeLessThanOrEqual(80);
  });

  it("round-trips any extraction", () => {
    const text = fc.array(fc.constantFrom("{", "}", '"', "\\", "a", "\n", "```", "é"), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, text, (summary, memory) => {
        const [rolloutSummary, rawMemory] = [
          summary.join("").trim(),
          `- ${memory.join("").trim()}`.trim(),
        ];
        const json = JSON.stringify({
          rollout_summary: rolloutSummary,
          rollout_slug: null,
          raw_memory: rawMemory,
        });
        expect(parseExtraction(`Here:\n\`\`\`json\n${json}\n\`\`\`\n`)).toEqual({
          kind: "extraction",
          extraction: { rolloutSummary, rolloutSlug: undefined, rawMemory },
        });
      }),
    );
  });

  it("never throws on any answer", () => {
    const piece = fc.constantFrom(
      ...'{}[]":,\\ ntrue1'.split(""),
      '"raw_memory"',
      '"rollout_slug":null',
      "\ud800",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(parseExtraction(pieces.join("")).kind).toMatch(/^(?:problem|extraction)$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("slugOf", () => {
  it.for([
    ["Fix the Parser", "fix-the-parser"],
    ["Übergröße ändern", "ubergro-e-andern"],
    ["../../etc/passwd", "etc-passwd"],
    ["a\u0000b", "a-b"],
    ["--a--", "a"],
    ["x".repeat(300), "x".repeat(40)],
    [`${"x".repeat(39)} y`, "x".repeat(39)],
    ["日本語", undefined],
    ["...", undefined],
    ["", undefined],
  ] as const)("turns %j into %j", ([text, slug]) => {
    expect(slugOf(text)).toBe(slug);
  });

  it("uses only characters that every file system accepts, and is idempotent", () => {
    const text = fc.array(
      fc.constantFrom("a", "Z", "9", "-", "/", "é", "\u0300", " ", "𝒳", "\ud800"),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const slug = slugOf(parts.join(""));
        expect(slug ?? "a").toMatch(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
        expect(slugOf(slug ?? "a")).toBe(slug ?? "a");
      }),
    );
  });
});
