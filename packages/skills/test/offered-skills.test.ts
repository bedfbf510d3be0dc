import { expect, it } from "vitest";
import { bundledSkills } from "../src/bundled/bundled-skills.ts";
import { offeredSkills } from "../src/offered-skills.ts";

it("offers the model what it may invoke by itself, and nothing else", () => {
  const skills = bundledSkills().flatMap((skill) => [
    { ...skill, name: "offered" },
    { ...skill, name: "withheld", modelInvocation: false },
  ]);
  expect(offeredSkills(skills).map(({ name }) => name)).toEqual(["offered"]);
});
