import { describe, expect, it } from "vitest";
import { createSkillTool } from "../src/skill-tool.ts";

const SKILLS = [
  { name: "release", description: "how to release", body: "Bump, tag, push." },
  { name: "review", description: "how to review", body: "Read twice." },
];
const CONTEXT = { usedTools: [], notify: () => undefined };

describe("the Skill tool", () => {
  it("creates no Skill tool without skills", () => {
    expect(createSkillTool([])).toBeUndefined();
  });

  it("returns the text of a skill by its name", async () => {
    const tool = createSkillTool(SKILLS);
    expect(await tool?.run({ name: "release" }, CONTEXT)).toEqual({
      text: "Bump, tag, push.",
      data: { name: "release" },
    });
  });

  it.for([
    [{ name: "relaese" }, 'There is no skill named "relaese". Did you mean release?'],
    [
      { name: "kubernetes" },
      'There is no skill named "kubernetes". Available skills: release, review',
    ],
    [{ name: "release", path: "x" }, 'Skill was not run. Call it with one field: {"name": "…"}.'],
    ["release", 'Skill was not run. Call it with one field: {"name": "…"}.'],
  ] as const)("answers the Skill input %j with: %s", async ([input, text]) => {
    expect(await createSkillTool(SKILLS)?.run(input, CONTEXT)).toEqual({ text, isError: true });
  });
});
