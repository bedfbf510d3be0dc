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
const messageOf = (text: string): string => {
  const parsed = parseConsolidation(text);
  return parsed.kind === "problem" ? parsed.message : "no problem";
};

describe("parseConsolidation", () => {
  it("parses an answer byte for byte", () => {
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

  it("accepts extra keys everywhere", () => {
    const text = JSON.stringify({
      ...answer,
      x: 1,
      skills: [{ ...skill, x: 1, scripts: [{ path: "a", content: "", x: 1 }] }],
    });
    expect(parseConsolidation(text)).toMatchObject({
      memory: { skills: [{ scripts: [{ path: "a", content: "" }] }] },
    });
  });

  it.for(["scripts", "templates", "examples"])("accepts a skill without %s", (key) => {
    for (const none of [undefined, null]) {
      expect(parseConsolidation(withSkill({ [key]: none }))).toMatchObject({
        kind: "memory",
        memory: { skills: [skill] },
      });
    }
  });

  it("accepts an empty list of skills, but not a missing one", () => {
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
    [{ ...answer, memory_md: 1 }, "memory_md is not a string"],
    [{ ...answer, skills: {} }, "skills is not a list"],
    [{ ...answer, skills: ["a"] }, "skills contains an item that is not an object"],
    [{ ...answer, skills: [[]] }, "skills contains an item that is not an object"],
  ] as const)("rejects %j: %s", ([value, message]) => {
    expect(messageOf(JSON.stringify(value))).toBe(message);
  });

  it.for([
    [{ name: undefined }, "skills: name is missing"],
    [{ name: " " }, "skills: name is empty"],
    [{ content: "" }, "skills: content is empty"],
    [{ content: 1 }, "skills: content is not a string"],
    [{ scripts: "rm" }, "skills: scripts is not a list"],
    [{ examples: [{ path: "a" }] }, "skills: examples: content is missing"],
    [{ templates: [{ path: 1, content: "" }] }, "skills: templates: path is not a string"],
  ] as const)("rejects a skill with %j", ([changes, message]) => {
    expect(messageOf(withSkill(changes))).toBe(message);
  });

  it("reports an answer truncated at any position, and never mistakes a skill for it", () => {
    const text = withSkill({ scripts: [{ path: "a", content: '{"memory_md":"x"}' }] });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: text.length - 1 }), (end) => {
        expect(messageOf(`Sure:\n${text.slice(0, end)}`)).toBe("the answer is truncated");
      }),
    );
  });

  it("rejects an answer over a mebibyte and reports its size", () => {
    expect(messageOf("{".repeat(1024 * 1024 + 1))).toBe(
      "the answer is too long: 1,048,577 bytes, the maximum is 1,048,576",
    );
  });
});
