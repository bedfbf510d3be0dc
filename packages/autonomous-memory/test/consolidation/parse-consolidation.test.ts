import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConsolidation } from "../../src/consolidation/parse-consolidation.ts";

const skill = {
  name: "deploy",
  content: "---\nname: deploy\n---\n",
  scripts: [],
  templates: [],
  examples: [],
};
const answer = { memory_md: "# Memory\n", memory_summary: "Use pnpm.\n", skills: [skill] };
const withSkill = (changes: object): string =>
  JSON.stringify({ ...answer, skills: [{ ...skill, ...changes }] });
const sentenceOf = (text: string): string => {
  const parsed = parseConsolidation(text);
  return parsed.kind === "problem" ? parsed.message : "no problem";
};

describe("an answer with the whole memory", () => {
  it("is read, byte for byte", () => {
    const script = { path: "a b.sh", content: " echo\n\n" };
    expect(parseConsolidation(withSkill({ scripts: [script] }))).toEqual({
      kind: "memory",
      memory: {
        memoryMd: "# Memory\n",
        memorySummary: "Use pnpm.\n",
        skills: [{ ...skill, scripts: [script] }],
      },
    });
  });

  it("may have other keys everywhere", () => {
    const text = JSON.stringify({
      ...answer,
      x: 1,
      skills: [{ ...skill, x: 1, scripts: [{ path: "a", content: "", x: 1 }] }],
    });
    expect(parseConsolidation(text)).toMatchObject({
      memory: { skills: [{ scripts: [{ path: "a", content: "" }] }] },
    });
  });

  it.for(["scripts", "templates", "examples"])("may leave out %s of a skill", (key) => {
    for (const none of [undefined, null]) {
      expect(parseConsolidation(withSkill({ [key]: none }))).toMatchObject({
        kind: "memory",
        memory: { skills: [skill] },
      });
    }
  });

  it("may have no skills, but says so", () => {
    expect(parseConsolidation(JSON.stringify({ ...answer, skills: [] }))).toMatchObject({
      memory: { skills: [] },
    });
  });

  it.for([
    [{ ...answer, memory_md: " \n" }, "memory_md is empty"],
    [{ ...answer, memory_summary: "" }, "memory_summary is empty"],
    [{ ...answer, memory_md: undefined }, "memory_md is missing"],
    [{ ...answer, memory_summary: undefined }, "memory_summary is missing"],
    [{ ...answer, skills: undefined }, "skills is missing"],
    [{ ...answer, memory_md: 1 }, "memory_md is no text"],
    [{ ...answer, skills: {} }, "skills is no list"],
    [{ ...answer, skills: ["a"] }, "skills has something in it that is no object"],
    [{ ...answer, skills: [[]] }, "skills has something in it that is no object"],
  ] as const)("%j is refused: %s", ([value, sentence]) => {
    expect(sentenceOf(JSON.stringify(value))).toBe(sentence);
  });

  it.for([
    [{ name: undefined }, "in skills, name is missing"],
    [{ name: " " }, "in skills, name is empty"],
    [{ content: "" }, "in skills, content is empty"],
    [{ content: 1 }, "in skills, content is no text"],
    [{ scripts: "rm" }, "in skills, scripts is no list"],
    [{ examples: [{ path: "a" }] }, "in skills, in examples, content is missing"],
    [{ templates: [{ path: 1, content: "" }] }, "in skills, in templates, path is no text"],
  ] as const)("is refused with a skill of %j", ([changes, sentence]) => {
    expect(sentenceOf(withSkill(changes))).toBe(sentence);
  });

  it("is cut off at every place but its end, and never taken for one of its skills", () => {
    const text = withSkill({ scripts: [{ path: "a", content: '{"memory_md":"x"}' }] });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: text.length - 1 }), (end) => {
        expect(sentenceOf(`Sure:\n${text.slice(0, end)}`)).toBe("the answer was cut off");
      }),
    );
  });

  it("over a mebibyte is refused with its size", () => {
    expect(sentenceOf("{".repeat(1024 * 1024 + 1))).toBe(
      "the answer has 1,048,577 bytes; at most 1,048,576 are read",
    );
  });
});
