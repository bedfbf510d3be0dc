import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBlock, renderBlock, replaceBlock } from "../../src/exchange/agents-md-block.ts";

const PARTS = [
  "---\n",
  "name: a\n",
  "\uFEFF",
  "\r\n",
  "\n",
  "\r",
  "\u2028",
  "\u2029",
  "### a\n",
  "<!-- caliban:memory end -->\n",
  "<!-- caliban:memory begin -->\n",
  String.raw`<!-- \caliban:topic {} -->`,
  '<!-- caliban:topic {"name":"x","head":""} -->\n',
  "words",
  "-->",
];

describe("the block of topics in AGENTS.md", () => {
  const texts = fc
    .array(fc.constantFrom(...PARTS), { maxLength: 6 })
    .map((parts) => parts.join(""));
  const topics = fc.array(
    fc.record({ name: fc.constantFrom("a", "b-->c", "x"), description: texts, text: texts }),
    { maxLength: 3 },
  );

  it("restores every topic byte for byte from any document", () => {
    fc.assert(
      fc.property(topics, fc.constantFrom("", "# Mine\n", "Mine"), (all, document) => {
        const whole = replaceBlock(document, renderBlock(all)) ?? "";
        expect(parseBlock(whole)).toEqual(all.map(({ name, text }) => ({ name, text })));
        expect(replaceBlock(whole, renderBlock(all))).toBe(whole);
        expect(whole.startsWith(document)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.for([
    [
      "two begin lines",
      "<!-- caliban:memory begin -->\n<!-- caliban:memory begin -->\n<!-- caliban:memory end -->\n",
    ],
    ["no end line", "<!-- caliban:memory begin -->\n"],
    ["its end line first", "<!-- caliban:memory end -->\n<!-- caliban:memory begin -->\n"],
  ] as const)("rejects a document whose block has %s", ([, document]) => {
    expect(replaceBlock(document, "x")).toBeUndefined();
    expect(parseBlock(document)).toBeUndefined();
  });

  it("reports a damaged topic of a block and restores the others", () => {
    const block = renderBlock([
      { name: "a", description: "", text: "A" },
      { name: "b", description: "", text: "B" },
    ]);
    expect(parseBlock(block.replace("### a\n\n", "a\n"))).toEqual([
      { name: "a", problem: "its heading is damaged" },
      { name: "b", text: "B" },
    ]);
    expect(parseBlock(block.replace('{"name":"a"', '{"nam":"a"'))?.[0]).toEqual({
      name: "topic 1",
      problem: "its marker line is damaged",
    });
  });
});
