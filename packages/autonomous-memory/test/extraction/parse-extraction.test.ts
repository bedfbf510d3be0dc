import { utf8Bytes } from "@caliban/common";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExtraction } from "../../src/extraction/parse-extraction.ts";
import { slugOf } from "../../src/extraction/rollout-slug.ts";

const answer = { rollout_summary: "They fixed it.", rollout_slug: "fix-it", raw_memory: "- a" };
const without = (key: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(answer).filter(([name]) => name !== key)));
const sentenceOf = (text: string): string => {
  const parsed = parseExtraction(text);
  return parsed.kind === "problem" ? parsed.message : "no problem";
};

describe("an answer about a session", () => {
  it("is read", () => {
    expect(parseExtraction(JSON.stringify(answer))).toEqual({
      kind: "extraction",
      extraction: { rolloutSummary: "They fixed it.", rolloutSlug: "fix-it", rawMemory: "- a" },
    });
  });

  it("may have other keys and no slug", () => {
    const text = JSON.stringify({ ...answer, rollout_slug: null, mood: "good" });
    expect(parseExtraction(text)).toMatchObject({
      kind: "extraction",
      extraction: { rolloutSlug: undefined, rawMemory: "- a" },
    });
  });

  it.for(["", " \n"])("with the memory %j says that nothing is durable", (rawMemory) => {
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
    [JSON.stringify({ ...answer, raw_memory: ["a"] }), "raw_memory is no text"],
    [JSON.stringify({ ...answer, rollout_summary: null }), "rollout_summary is no text"],
    [JSON.stringify({ ...answer, rollout_slug: 7 }), "rollout_slug is neither a text nor null"],
    [JSON.stringify(answer).slice(0, -5), "the answer was cut off"],
    ["[]", "the answer is JSON, but no object"],
    [" \n", "the answer is empty"],
    ["I'm sorry, no.", "the answer is no JSON; it begins with “I'm sorry, no.”"],
  ] as const)("%j is refused: %s", ([text, sentence]) => {
    expect(sentenceOf(text)).toBe(sentence);
  });

  it("over a mebibyte is refused with its size", () => {
    const text = JSON.stringify({ ...answer, raw_memory: "ä".repeat(600_000) });
    expect(sentenceOf(text)).toMatch(
      /^the answer has 1,200,\d{3} bytes; at most 1,048,576 are read$/,
    );
  });

  it("of exactly a mebibyte is read", () => {
    const room = 1024 * 1024 - JSON.stringify({ ...answer, raw_memory: "" }).length;
    const text = JSON.stringify({ ...answer, raw_memory: "a".repeat(room) });
    expect(sentenceOf(text)).toBe("no problem");
    expect(sentenceOf(`${text} `)).toMatch(/^the answer has 1,048,577 bytes/);
  });

  it("with long texts is cut at the end of a line, and says so", () => {
    const line = `- ${"ä".repeat(500)}\n`;
    const text = JSON.stringify({
      ...answer,
      raw_memory: line.repeat(100),
      rollout_summary: line.repeat(20),
    });
    const rest = "(The rest was left out: it is too long.)";
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
  ] as const)("keeps %s to its limit where it is one line", ([key, name, kibibytes]) => {
    const limit = kibibytes * 1024;
    const lengthOf = (text: string): number => {
      const parsed = parseExtraction(JSON.stringify({ ...answer, [key]: text }));
      return parsed.kind === "extraction" ? utf8Bytes(parsed.extraction[name]) : 0;
    };
    expect(lengthOf("x".repeat(limit))).toBe(limit);
    expect(lengthOf("x".repeat(limit + 1))).toBe(limit);
    expect(lengthOf("😀".repeat(limit))).toBeLessThanOrEqual(limit);
  });

  it("that is no JSON is quoted in one short, harmless line", () => {
    const sentence = sentenceOf(`\u001b[2J\u202e\n${"\u0007".repeat(200)}`);
    expect(sentence).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(/“(.*)”/.exec(sentence)?.[1]?.length).toBeLessThanOrEqual(80);
  });

  it("is read as it was written", () => {
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

  it("never throws", () => {
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

describe("a slug", () => {
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
  ] as const)("of %j is %j", ([text, slug]) => {
    expect(slugOf(text)).toBe(slug);
  });

  it("has only characters that every file system takes, and is its own slug", () => {
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
