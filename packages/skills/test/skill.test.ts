import { expect, it } from "vitest";
import { bundledSkills } from "../src/bundled/bundled-skills.ts";
import { offeredSkills } from "../src/skill.ts";

it("offeredSkills returns only skills that the model may invoke", () => {
  const skills = bundledSkills().flatMap((skill) => [
    { ...skill, name: "offered" },
    { ...skill, name: "disabled", modelInvocation: false },
  ]);
  expect(offeredSkills(skills).map(({ name }) => name)).toEqual(["offered"]);
});
