import { describe, expect, it } from "vitest";
import { brokenRule } from "../src/agent-skills-rules.ts";

describe("the rules of Agent Skills", () => {
  it.for(["a", "release", "a-b-c", "9-lives", "x".repeat(64)])("accept the name %s", (name) => {
    expect(brokenRule({ name }, name)).toBeUndefined();
  });

  it.for(["Release", "a.b", "a_b", "a-", "a--b", "x".repeat(65)])("refuse the name %s", (name) => {
    expect(brokenRule({ name }, name)).toContain("lower-case letters");
  });

  it("require the directory to have the name of the skill", () => {
    expect(brokenRule({ name: "release" }, "releases")).toContain("directory");
  });
});
