import { describe, expect, it } from "vitest";
import { bundledSkills } from "../src/bundled/bundled-skills.ts";
import { listSkills } from "../src/list-skills.ts";
import type { Skill } from "../src/skill.ts";

const skill = (name: string, more: Partial<Skill> = {}): Skill => ({
  name,
  description: "d",
  body: "Use Read, then Write.\n",
  path: `/skills/${name}/SKILL.md`,
  origin: "workspace",
  modelInvocation: true,
  ...more,
});

const list = (skills: readonly Skill[], denied: readonly string[] = []) =>
  listSkills({
    skills,
    tools: ["Read", "Write"].filter((name) => !denied.includes(name)),
    deniedTools: denied,
  });

describe("listSkills", () => {
  it("lists skills that the model may invoke by name and description, and always-loaded ones in full", () => {
    const always = skill("always", { alwaysLoaded: true });
    expect(list([skill("one"), always, skill("two", { modelInvocation: false })])).toEqual({
      skills: [
        { name: "one", description: "d" },
        { name: "always", description: "d", body: always.body },
      ],
      warning: undefined,
    });
    expect(list(bundledSkills()).skills).toMatchObject([{ name: "auto-memory" }]);
  });

  it("says which tools of an always-loaded skill are denied, and drops it when all of them are", () => {
    const always = skill("always", { alwaysLoaded: true });
    expect(list([always], ["Write", "Other"]).skills).toMatchObject([
      { body: "Use Read, then Write.\n\nNot available in this session: Write.\n" },
    ]);
    expect(list([always], ["Read", "Write"]).skills).toEqual([]);
  });

  it("limits the characters of each description and of the list, and names what it omits", () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      skill(`s${index}`, { description: "x".repeat(1000) }),
    );
    const { skills, warning } = list(many);
    expect(skills[0]?.description).toBe(`${"x".repeat(399)}…`);
    const characters = skills.map(({ name, description }) => name.length + description.length);
    expect(characters.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(16_384);
    const { length } = skills;
    expect(warning).toMatch(new RegExp(`^${150 - length} skills are not listed.*: s${length}, `));
  });
});
